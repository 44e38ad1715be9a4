<?php

/**
 * Findwell: scenarios of which the service tells the result: stores, runs, plans, keys; the number is that of the scenario.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop;

use Findwell\Platform\Boot;
use Findwell\Tests\shop\support\ScenarioCase;

final class ServiceSideTest extends ScenarioCase
{
    private const TYPES = ['products', 'categories', 'brands', 'pages'];

    /** What a call to the feed returns, with the key of the shop. */
    private static function feed(string $path): array
    {
        $context = stream_context_create(['http' => ['header' => 'X-API-Key: ' . self::$shop->setting('key')]]);

        return json_decode((string) file_get_contents(self::$service->direct . '/api/v1/feed' . $path, false, $context), true)['data'];
    }

    /** @return array<string, int> documents of each type in every language, in SQL of the shop */
    private static function counts(): array
    {
        return array_map(static fn (string $sql): int => (int) self::$shop->value($sql), [
            'products' => "SELECT COUNT(*) FROM {prefix}product_shop WHERE active = 1 AND visibility IN ('both', 'search') AND id_shop = 1",
            'categories' => 'SELECT COUNT(*) FROM {prefix}category c JOIN {prefix}category_shop s USING (id_category) WHERE active = 1 AND id_parent >= 2 AND id_shop = 1',
            'brands' => 'SELECT COUNT(*) FROM {prefix}manufacturer WHERE active = 1',
            'pages' => 'SELECT COUNT(*) FROM {prefix}cms WHERE active = 1',
        ]);
    }

    public function test01TheStoreKnowsItsConnector(): void
    {
        $store = self::$service->details((string) self::$shop->setting('store_id'));
        self::assertSame('prestashop', $store['platform']);
        $indices = array_map(static fn (array $index): string => "$index[type] $index[language]", $store['indices']);
        sort($indices);
        $expected = array_merge(...array_map(static fn (string $type): array => ["$type en", "$type es"], self::TYPES));
        sort($expected);
        self::assertSame($expected, $indices);
        [$platform, $php] = self::$shop->php('return [_PS_VERSION_, PHP_VERSION];');
        $connector = $store['connector'];
        self::assertSame([Boot::VERSION, $platform], [$connector['moduleVersion'], $connector['platformVersion']]);
        self::assertMatchesRegularExpression('/^' . preg_quote(explode('-', $php)[0], '/') . '/', $connector['phpVersion']);
    }

    public function test02TheServiceHasAsMuchAsTheShop(): void
    {
        $counts = self::counts();
        $used = self::feed('/plan')['usage']['documents'];
        foreach (self::TYPES as $type) {
            self::assertSame($counts[$type], $used[$type], $type);
        }
        foreach (self::$service->details((string) self::$shop->setting('store_id'))['indices'] as $index) {
            self::assertSame($counts[$index['type']], $index['documents'], "$index[type] $index[language]");
        }
        foreach (self::$firstCron['results'] as $type => $result) {
            $run = self::feed("/runs/$result[run]");
            self::assertSame('closed', $run['state'], $type);
            self::assertSame(['purged', 'purged'], array_column($run['scopes'], 'status'), $type);
        }
        foreach (['categories' => 3, 'brands' => 1, 'pages' => 1] as $type => $id) {
            $table = ['categories' => 'category_lang', 'pages' => 'cms_lang', 'brands' => 'manufacturer'][$type];
            foreach (['en' => 1, 'es' => 2] as $language => $number) {
                $where = $type === 'brands' ? 'id_manufacturer = 1' : ($type === 'pages' ? 'id_cms' : 'id_category') . " = $id AND id_lang = $number AND id_shop = 1";
                $name = (string) self::$shop->value('SELECT ' . ($type === 'pages' ? 'meta_title' : 'name') . " FROM {prefix}$table WHERE $where");
                self::assertContains((string) $id, array_column($this->hits($name, $language, $type), 'id'), "$name in $language");
            }
        }
    }

    public function test03ThePassSawEverything(): void
    {
        self::due();
        $report = self::cronUntilDone();
        $counts = self::counts();
        foreach ($report['results'] as $type => $result) {
            $type = ['cms' => 'pages', 'manufacturers' => 'brands'][$type] ?? $type;
            foreach (self::feed("/runs/$result[run]")['scopes'] as $scope) {
                self::assertSame([$counts[$type], 0], [$scope['seen'], $scope['purged']], "$type $scope[language]");
            }
        }
    }

    public function test12TheServiceIsStopped(): void
    {
        $save = static fn (string $name): float => self::$shop->web("\$p = new Product(5, false, null, 1); \$p->name = array_fill(1, 2, " . var_export($name, true) . '); $p->setFieldsToUpdate(null);
            return $p->save();')[0];
        $name = (string) self::$shop->value('SELECT name FROM {prefix}product_lang WHERE id_product = 5 AND id_lang = 1 AND id_shop = 1');
        self::$service->stop();
        try {
            $seconds = [$save('Tgbyhn'), $save('Tgbyhn'), $save('Tgbyhn'), $save('Tgbyhn')];
            $this->within(fn (): bool => self::$shop->value("SELECT 1 FROM {prefix}findwell_queue WHERE type = 'products' AND id_object = 5") === '1', 'it waits');
            self::assertLessThan(2.5, max($seconds));
            self::assertSame(200, self::$shop->request('/en/search?s=mug')[0], 'the search of the shop itself');
        } finally {
            self::$service->start();
        }
        self::$shop->sql("DELETE FROM {prefix}findwell_setting WHERE `name` = 'breaker'");
        self::assertSame(0, self::cronUntilDone()['queue']['left']);
        $this->within(fn (): bool => array_column($this->hits('tgbyhn'), 'id') === ['5'], 'after the service was started again');
        $save($name);
        $this->within(fn (): bool => $this->hits('tgbyhn') === [], 'named as before');
    }

    public function test13AKeyThatWasDeactivated(): void
    {
        $store = (string) self::$shop->setting('store_id');
        $states = 'SELECT COUNT(*) FROM {prefix}findwell_state';
        $before = self::$shop->value($states);
        $last = substr((string) self::$shop->setting('key'), -4);
        foreach (json_decode(self::$service->command(['key', 'list', '--json']), true) as $key) {
            if (($key['storeId'] ?? '') === $store && $key['kind'] === 'connector' && $key['lastFour'] === $last) {
                self::$service->command(['key', 'deactivate', $key['id']]);
            }
        }
        self::due();
        self::assertSame('error', self::$shop->cron()['status']);
        self::assertStringContainsString('The service refuses the key', self::$shop->form('none'));
        self::$service->calls();
        self::$shop->php('return (new Product(2, false, null, 1))->save();');
        self::$shop->cron();
        self::assertSame([], self::$service->calls('#/feed/#'), 'nothing is asked with a refused key');

        $new = json_decode(self::$service->command(['key', 'create', '--store', $store, '--kind', 'connector', '--json']), true)['key'];
        $page = self::$shop->form('connect', ['address' => self::$service->address, 'key' => $new]);
        self::assertStringNotContainsString('The service refuses the key', $page);
        self::assertSame([$store, $before], [self::$shop->setting('store_id'), self::$shop->value($states)], 'the same store keeps its states');
        $report = self::cronUntilDone();
        foreach ($report['results'] as $type => $result) {
            self::assertSame(0, $result['sent'], "$type is compared, not sent");
            self::assertGreaterThan(0, $result['touched'], $type);
        }
    }

    public function test15ARebuildIsNeverEmpty(): void
    {
        $all = count($this->hits('shirt'));
        self::assertGreaterThan(0, $all);
        $isFound = fn (): bool => in_array('19', array_column($this->hits('demo_14'), 'id'), true);
        foreach ([1, 2] as $time) {
            self::$shop->sql("UPDATE {prefix}product_shop SET active = 0 WHERE id_product = 19 AND id_shop = 1");
            // The close fails, so that the run stays open after everything was sent.
            self::$service->rules(['#/close$#' => 503]);
            self::$shop->cron('what=sync&fresh=1');
            self::assertCount($all, $this->hits('shirt'), "while rebuild $time is open");
            self::assertTrue($isFound(), 'what the shop no longer has is kept until the end');
            self::$service->rules([]);
            self::$shop->sql("DELETE FROM {prefix}findwell_setting WHERE `name` = 'breaker'");
            self::assertSame('done', self::cronUntilDone()['status']);
            $this->within(fn (): bool => !$isFound(), 'and then removed');
            self::$shop->sql("UPDATE {prefix}product_shop SET active = 1 WHERE id_product = 19 AND id_shop = 1");
            self::due();
            self::cronUntilDone();
            $this->within($isFound, 'back again');
        }
    }
}
