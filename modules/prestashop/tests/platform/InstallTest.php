<?php

/**
 * Findwell: tests of installation, upgrade and removal, on a database of their own.
 * 1. An installation creates five tables, the values of each shop and all hooks in every shop.
 * 2. If anything fails, nothing is left.
 * 3. Files that were copied are upgraded once: tables and hooks follow, settings stay, everything is due.
 * 4. Two requests do not upgrade at once.
 * 5. A removal leaves no table, no hook and no value.
 * 6. A second creation changes nothing.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use Configuration;
use Db;
use Findwell;
use Findwell\Platform\Boot;
use Findwell\Platform\DbLock;
use Findwell\Platform\HookList;
use Findwell\Platform\PassTable;
use Findwell\Platform\Schema;
use Findwell\Platform\Settings;
use Findwell\Tests\platform\support\Database;
use Findwell\Tests\platform\support\ShopCase;
use Findwell\Tests\platform\support\Shopkeeper;
use Module;
use Shop;

final class InstallTest extends ShopCase
{
    private static function tables(): int
    {
        return count(Shopkeeper::column("SHOW TABLES LIKE '{prefix}findwell\\_%'"));
    }

    public function testInstallation(): void
    {
        self::assertSame(5, self::tables());
        self::assertSame([], HookList::missing($this->module, 1));
        self::assertNotSame([], HookList::missing($this->module, 2), 'a shop that does not exist has none');
        $settings = Settings::of(1);
        self::assertMatchesRegularExpression('/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/', $settings->get('instance_id'));
        self::assertMatchesRegularExpression('/^[0-9a-f]{40}$/', $settings->get('cron_token'));
        self::assertNotSame($settings->get('cron_token'), $settings->get('test_token'));
        $before = Shopkeeper::column('SELECT value FROM {prefix}findwell_setting');
        self::assertTrue(Schema::create());
        Boot::prepareShop(1);
        self::assertSame($before, Shopkeeper::column('SELECT value FROM {prefix}findwell_setting'));
    }

    public function testEveryShopHasHooksAndValues(): void
    {
        $this->module->uninstall();
        Shop::$shops = [1 => 'shop.example', 2 => 'second.example'];
        (new Findwell())->install();
        $module = new Findwell();
        foreach ([1, 2] as $shop) {
            self::assertSame([], HookList::missing($module, $shop));
        }
        self::assertNotSame(Settings::of(1)->get('cron_token'), Settings::of(2)->get('cron_token'));
        self::assertNotSame(Settings::of(1)->get('instance_id'), Settings::of(2)->get('instance_id'));
    }

    public function testFailedInstallationLeavesNothing(): void
    {
        $this->module->uninstall();
        Module::$rejectedHook = 'actionProductSave';
        self::assertFalse((new Findwell())->install());
        self::assertSame(0, self::tables());
        self::assertSame('0', Shopkeeper::value('SELECT COUNT(*) FROM {prefix}hook_module'));
        self::assertSame('0', Shopkeeper::value('SELECT COUNT(*) FROM {prefix}module'));
    }

    public function testCopiedFiles(): void
    {
        $token = Settings::of(1)->get('cron_token');
        Settings::of(1)->set('key', 'con_kept');
        Settings::of(0)->set('version', '0.9.0');
        Db::$connection->exec('DROP TABLE ps_findwell_rule');
        Db::$connection->exec('DELETE FROM ps_hook_module ORDER BY id_hook LIMIT 3');
        Shopkeeper::forgetRequest();
        Boot::upgrade($this->module);
        self::assertSame(5, self::tables());
        self::assertSame([], HookList::missing($this->module, 1));
        self::assertSame([$token, 'con_kept'], [Settings::of(1)->get('cron_token'), Settings::of(1)->get('key')]);
        self::assertSame(Boot::VERSION, Settings::of(0)->get('version'));
        foreach (['products', 'categories', 'brands', 'pages'] as $type) {
            self::assertTrue((new PassTable(1))->load($type)->isDue, $type);
        }
        Shopkeeper::forgetRequest();
        Db::$statements = [];
        Boot::upgrade($this->module);
        self::assertCount(1, Db::$statements, 'one look at the settings, and nothing to do');
    }

    public function testOneUpgradeAtATime(): void
    {
        Settings::of(0)->set('version', '0.9.0');
        $other = Database::connect(_DB_NAME_);
        $other->query("SELECT GET_LOCK('fw_" . md5(_DB_NAME_ . '|' . _DB_PREFIX_) . "_0', 0)")->fetchAll();
        Boot::upgrade($this->module);
        self::assertSame('"0.9.0"', Shopkeeper::value("SELECT value FROM {prefix}findwell_setting WHERE name = 'version'"));
        $other = null;
        for ($until = microtime(true) + 30; microtime(true) < $until && !(new DbLock(0))->acquire(); usleep(10000)) {
            continue;
        }
        (new DbLock(0))->release();
        Boot::upgrade($this->module);
        self::assertSame('"' . Boot::VERSION . '"', Shopkeeper::value("SELECT value FROM {prefix}findwell_setting WHERE name = 'version'"));
    }

    public function testLockOfAShop(): void
    {
        $lock = new DbLock(1);
        self::assertFalse($lock->isHeld());
        self::assertTrue($lock->acquire());
        self::assertTrue($lock->isHeld());
        $name = 'fw_' . md5(_DB_NAME_ . '|' . _DB_PREFIX_) . '_1';
        $other = Database::connect(_DB_NAME_);
        self::assertSame('0', (string) $other->query("SELECT GET_LOCK('$name', 0)")->fetchColumn());
        $lock->release();
        self::assertSame('1', (string) $other->query("SELECT GET_LOCK('$name', 0)")->fetchColumn());
        self::assertFalse($lock->isHeld(), 'held by somebody else');
    }

    public function testRemoval(): void
    {
        Configuration::updateValue('FINDWELL_PAGE', '{}', false, null, 1);
        self::assertTrue($this->module->uninstall());
        self::assertSame(0, self::tables());
        self::assertSame('0', Shopkeeper::value('SELECT COUNT(*) FROM {prefix}hook_module'));
        self::assertFalse(Configuration::get('FINDWELL_PAGE', null, null, 1));
    }
}
