<?php

/**
 * Findwell: scenarios in which the files of an older version are replaced, as a merchant replaces them.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop;

use Findwell\Platform\Boot;
use Findwell\Tests\contract\support\Service;
use Findwell\Tests\shop\support\RunningShop;
use Findwell\Tests\shop\support\ScenarioCase;
use ZipArchive;

final class UpgradeTest extends ScenarioCase
{
    private const OLDER = '0.9.0';
    private const SETTINGS = "SELECT GROUP_CONCAT(name, '=', value ORDER BY id_shop, name) FROM {prefix}findwell_setting WHERE id_shop = 1
        AND name IN ('key', 'base_address', 'instance_id', 'cron_token', 'test_token', 'public_key', 'context_secret', 'store_id', 'choices')";

    private static string $folder = '';

    public static function setUpBeforeClass(): void
    {
        $missing = RunningShop::missing();
        if ($missing !== null) {
            self::markTestSkipped("SKIPPED: $missing");
        }
        self::$service = new Service();
        self::$shop = new RunningShop();
        self::$folder = getenv('FINDWELL_SHOP_DIR') . '/modules/findwell';
        if (is_link(self::$folder)) {
            self::fail('the module must be a copy, because its files are replaced');
        }
    }

    public static function tearDownAfterClass(): void
    {
        if (self::$folder !== '' && !is_link(self::$folder)) {
            self::replace(self::current());
        }
        parent::tearDownAfterClass();
    }

    /** @return array<string, string> path => text of the files of the module as it is here */
    private static function current(): array
    {
        $source = dirname(__DIR__, 2) . '/findwell';
        $files = [];
        foreach (new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($source, \FilesystemIterator::SKIP_DOTS)) as $file) {
            $files[substr((string) $file, strlen($source) + 1)] = (string) file_get_contents((string) $file);
        }

        return $files;
    }

    /** A version with another number, one hook and one table less, and a file that there is no longer. */
    private static function older(): array
    {
        $files = self::current();
        foreach (['findwell.php', 'config.xml', 'src/Platform/Boot.php'] as $path) {
            $files[$path] = str_replace(Boot::VERSION, self::OLDER, $files[$path], $count);
            self::assertGreaterThan(0, $count, $path);
        }
        $files['findwell.php'] = str_replace('hookActionProductSave', 'formerActionProductSave', $files['findwell.php']);
        $files['src/Platform/HookList.php'] = preg_replace("/'actionProductSave', /", '', $files['src/Platform/HookList.php'], 1, $count);
        self::assertSame(1, $count, 'the hook');
        $files['src/Platform/Schema.php'] = preg_replace('/^        .rule. =>.*\n.*\n/m', '', $files['src/Platform/Schema.php'], 1, $count);
        self::assertSame(1, $count, 'the table');
        $files['src/Platform/Schema.php'] = str_replace('VERSION = 1;', 'VERSION = 0;', $files['src/Platform/Schema.php']);
        $files['src/Platform/RuleProducts.php'] = preg_replace('/(public static function keep\w*\([^)]*\): void\n    \{\n)/', '$1        return;' . "\n", $files['src/Platform/RuleProducts.php']);

        return $files + ['src/Platform/Former.php' => "<?php\n"];
    }

    /** Unpacks an archive of these files over what is there. */
    private static function unpack(array $files): void
    {
        $archive = sys_get_temp_dir() . '/findwell-' . bin2hex(random_bytes(8)) . '.zip';
        $zip = new ZipArchive();
        $zip->open($archive, ZipArchive::CREATE);
        foreach ($files as $path => $text) {
            $zip->addFromString("findwell/$path", $text);
        }
        $zip->close();
        $zip->open($archive);
        $zip->extractTo(dirname(self::$folder));
        $zip->close();
        unlink($archive);
        self::assertFileExists(self::$folder . '/findwell.php');
        // The web server looks every other second whether a file has changed.
        sleep(3);
    }

    private static function replace(array $files): void
    {
        exec('rm -rf ' . escapeshellarg(self::$folder));
        self::unpack($files);
    }

    /** Installs the older version, connects it and fills the service; returns its settings. */
    private function installed(): string
    {
        self::$shop->console('prestashop:module uninstall findwell');
        self::replace(self::older());
        self::$shop->console('prestashop:module install findwell');
        self::assertSame(self::OLDER, self::$shop->value("SELECT version FROM {prefix}module WHERE name = 'findwell'"));
        $store = self::$service->store();
        self::$shop->form('connect', ['address' => self::$service->address, 'key' => $store['connectorKey']]);
        self::$shop->form('save', ['types' => ['products', 'categories', 'pages', 'brands'], 'on_change' => '1', 'hours' => '2', 'box' => 'displayTop']);
        self::assertSame('done', self::cronUntilDone()['status']);
        self::assertSame('4', $this->tables());
        self::assertSame('0', $this->hook());
        self::assertStringStartsWith('prestashop/' . self::OLDER, $this->client());

        return (string) self::$shop->value(self::SETTINGS);
    }

    private function tables(): string
    {
        return (string) self::$shop->value("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE '{prefix}findwell\\_%'");
    }

    private function hook(): string
    {
        return (string) self::$shop->value("SELECT COUNT(*) FROM {prefix}hook_module JOIN {prefix}hook h USING (id_hook)
            JOIN {prefix}module m USING (id_module) WHERE m.name = 'findwell' AND h.name = 'actionProductSave'");
    }

    /** What the last call to the feed said about the versions. */
    private function client(): string
    {
        $calls = self::$service->calls('#/feed/#');

        return (string) (end($calls)['headers']['x-svc-client'] ?? '');
    }

    /** What holds after files were replaced, and the next call of cron. */
    private function assertUpgraded(string $settings): void
    {
        self::$service->calls();
        $report = self::cronUntilDone();
        self::assertSame('done', $report['status'], json_encode($report));
        $calls = self::$service->calls('#/feed/#');
        self::assertStringStartsWith('prestashop/' . Boot::VERSION, (string) end($calls)['headers']['x-svc-client']);
        self::assertSame($settings, (string) self::$shop->value(self::SETTINGS));
        self::assertSame('5', $this->tables());
        self::assertSame([], self::$shop->php("return Findwell\\Platform\\HookList::missing(Module::getInstanceByName('findwell'), 1);"));
        self::assertSame('"' . Boot::VERSION . '"', self::$shop->value("SELECT value FROM {prefix}findwell_setting WHERE name = 'version' AND id_shop = 0"));
        foreach ($report['results'] as $type => $result) {
            self::assertSame(0, $result['sent'], "the hashes decide that no document of $type is sent");
            self::assertGreaterThan(0, $result['touched'], $type);
        }
        self::$shop->php('$p = new Product(1, false, null, 1); $p->name[1] = "Lkjhgf"; $p->setFieldsToUpdate(null); return $p->save();');
        $this->within(fn (): bool => $this->hits('lkjhgf') !== [], 'hooks work');
        self::$shop->php('$p = new Product(1, false, null, 1); $p->name[1] = "Hummingbird printed t-shirt"; $p->setFieldsToUpdate(null); return $p->save();');
    }

    public function test16UpgradeByConsole(): void
    {
        $settings = $this->installed();
        self::unpack(self::current());
        self::$shop->console('prestashop:module upgrade findwell');
        self::assertSame(Boot::VERSION, self::$shop->value("SELECT version FROM {prefix}module WHERE name = 'findwell'"));
        self::assertSame('1', self::$shop->value("SELECT active FROM {prefix}module WHERE name = 'findwell'"));
        $this->assertUpgraded($settings);
    }

    public function test16UpgradeByCopyingFiles(): void
    {
        $settings = $this->installed();
        self::unpack(self::current());
        $this->assertUpgraded($settings);
    }
}
