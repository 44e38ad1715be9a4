<?php

/**
 * Findwell: the module's tables, and what an upgrade changes in them.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Schema
{
    /** 2: stamps of queued changes. */
    public const VERSION = 2;

    private const TABLES = [
        'setting' => '`id_shop` INT UNSIGNED NOT NULL, `name` VARCHAR(64) NOT NULL, `value` MEDIUMTEXT NOT NULL,'
            . ' PRIMARY KEY (`id_shop`, `name`)',
        'state' => '`id_shop` INT UNSIGNED NOT NULL, `type` VARCHAR(12) NOT NULL, `id_lang` VARCHAR(8) NOT NULL,'
            . ' `id_object` INT UNSIGNED NOT NULL, `hash` BINARY(20) NOT NULL, `pass` CHAR(36) NOT NULL,'
            . ' `sent_at` INT UNSIGNED NOT NULL, PRIMARY KEY (`id_shop`, `type`, `id_lang`, `id_object`),'
            . ' KEY `pass` (`id_shop`, `type`, `id_lang`, `pass`)',
        'queue' => '`id_shop` INT UNSIGNED NOT NULL, `type` VARCHAR(12) NOT NULL, `id_object` INT UNSIGNED NOT NULL,'
            . ' `attempts` SMALLINT UNSIGNED NOT NULL DEFAULT 0, `next_try` INT UNSIGNED NOT NULL DEFAULT 0,'
            . ' `created` INT UNSIGNED NOT NULL, `stamp` BIGINT UNSIGNED NOT NULL DEFAULT 0,'
            . ' PRIMARY KEY (`id_shop`, `type`, `id_object`),'
            . ' KEY `next` (`id_shop`, `next_try`)',
        'pass' => '`id_shop` INT UNSIGNED NOT NULL, `type` VARCHAR(12) NOT NULL, `record` MEDIUMTEXT NOT NULL,'
            . ' PRIMARY KEY (`id_shop`, `type`)',
        'rule' => '`id_rule` INT UNSIGNED NOT NULL, `id_product` INT UNSIGNED NOT NULL,'
            . ' PRIMARY KEY (`id_rule`, `id_product`)',
    ];

    /** Creates what is missing; may be repeated. */
    public static function create(): bool
    {
        foreach (self::TABLES as $name => $columns) {
            $sql = "CREATE TABLE IF NOT EXISTS `{prefix}findwell_$name` ($columns)"
                . ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin';
            if (!Sql::run($sql)) {
                return false;
            }
        }
        // A table of the first version.
        if (Sql::rows("SHOW COLUMNS FROM `{prefix}findwell_queue` LIKE 'stamp'") === []) {
            $sql = 'ALTER TABLE `{prefix}findwell_queue` ADD COLUMN `stamp` BIGINT UNSIGNED NOT NULL DEFAULT 0';
            if (!Sql::run($sql)) {
                return false;
            }
        }
        Settings::of(0)->set('schema', self::VERSION);

        return true;
    }

    public static function drop(): bool
    {
        $isDropped = true;
        foreach (array_keys(self::TABLES) as $name) {
            $isDropped = Sql::run("DROP TABLE IF EXISTS `{prefix}findwell_$name`") && $isDropped;
        }
        Settings::forget();

        return $isDropped;
    }
}
