<?php

/**
 * Findwell: statements on the shop's database; reads are never answered from the platform's query cache.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Db;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Sql
{
    /**
     * Fills in `{prefix}` of table names and runs a SELECT on the master.
     *
     * Numbers are text in version 8 of the platform and numbers in version 9, so a caller casts what it compares.
     *
     * @return list<array<string, string|null>>
     */
    public static function rows(string $sql): array
    {
        return self::rowsUnlessFailed($sql) ?? [];
    }

    /**
     * @return list<array<string, string|null>>|null null if the statement failed
     */
    public static function rowsUnlessFailed(string $sql): ?array
    {
        $rows = Db::getInstance(true)->executeS(self::named($sql), true, false);

        return is_array($rows) ? array_values($rows) : null;
    }

    /**
     * @return list<string|null>
     */
    public static function column(string $sql): array
    {
        return array_map(static fn (array $row) => reset($row), self::rows($sql));
    }

    public static function value(string $sql): ?string
    {
        $value = self::column($sql)[0] ?? null;

        return $value === null ? null : (string) $value;
    }

    public static function run(string $sql): bool
    {
        return (bool) Db::getInstance(true)->execute(self::named($sql), false);
    }

    /** A text as a literal, in which `{prefix}` is no table name. */
    public static function text(string $text): string
    {
        $parts = array_map(
            static fn (string $part): string => "'" . Db::getInstance(true)->escape($part, true, true) . "'",
            explode('{prefix}', $text)
        );

        return count($parts) === 1 ? $parts[0] : 'CONCAT(' . implode(", '{', 'prefix}', ", $parts) . ')';
    }

    /**
     * @param list<int> $ids
     *
     * @return string a list for IN, which is never empty
     */
    public static function ids(array $ids): string
    {
        return $ids === [] ? '0' : implode(',', array_map('intval', $ids));
    }

    private static function named(string $sql): string
    {
        return str_replace('{prefix}', _DB_PREFIX_, $sql);
    }
}
