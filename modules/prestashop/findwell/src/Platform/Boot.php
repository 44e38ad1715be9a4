<?php

/**
 * Findwell: what the module knows of itself, and what an upgrade leaves to be done.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Sync\RunOpener;
use Findwell\Core\Sync\Types;
use Module;
use Shop;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Boot
{
    public const NAME = 'findwell';
    public const VERSION = '1.1.0';

    /** Everything that an installation needs, once; false undoes it all. */
    public static function install(Module $module): bool
    {
        if (!Schema::create()) {
            return false;
        }
        Settings::of(0)->set('version', self::VERSION);
        foreach (Shop::getCompleteListOfShopsID() as $shop) {
            self::prepareShop((int) $shop);
        }

        return HookList::register($module, array_map('intval', Shop::getCompleteListOfShopsID()));
    }

    /** Values that every shop has; those that exist stay. */
    public static function prepareShop(int $shop): void
    {
        $settings = Settings::of($shop);
        if ($settings->get('instance_id') === null) {
            $settings->set('instance_id', RunOpener::uuid());
        }
        foreach (['cron_token', 'test_token'] as $token) {
            if ($settings->get($token) === null) {
                $settings->set($token, self::token());
            }
        }
    }

    /** 160 random bits. */
    public static function token(): string
    {
        return bin2hex(random_bytes(20));
    }

    /**
     * Does once what new files need: tables, hooks, and a pass over everything, of which the hashes decide what is sent.
     * It also runs for a module whose files were copied, of which the platform knows nothing.
     */
    public static function upgrade(Module $module): void
    {
        $settings = Settings::of(0);
        if ($settings->get('version') === self::VERSION && $settings->get('schema') === Schema::VERSION) {
            return;
        }
        $lock = new DbLock(0);
        if (!$lock->acquire()) {
            return;
        }
        try {
            Schema::create();
            foreach (Shop::getCompleteListOfShopsID() as $shop) {
                self::prepareShop((int) $shop);
                HookList::register($module, [(int) $shop]);
                self::makeDue((int) $shop, Types::ALL);
            }
            $settings->set('version', self::VERSION);
        } finally {
            $lock->release();
        }
    }

    /**
     * @param list<string> $types
     */
    public static function makeDue(int $shop, array $types): void
    {
        $passes = new PassTable($shop);
        foreach ($types as $type) {
            $record = $passes->load($type);
            if (!$record->isDue) {
                $record->isDue = true;
                $passes->save($type, $record);
            }
        }
    }

    public static function isActive(int $shop): bool
    {
        $sql = "SELECT 1 FROM `{prefix}module_shop` ms INNER JOIN `{prefix}module` m ON m.`id_module` = ms.`id_module`
            WHERE m.`name` = '" . self::NAME . "' AND ms.`id_shop` = $shop";

        return Sql::value($sql) !== null;
    }
}
