<?php

/**
 * Findwell: which products a catalogue price rule concerns, also after it was deleted.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class RuleProducts
{
    /** So many products of a rule are noted; of a rule with more, a pass finds them. */
    public const PRODUCTS_MAX = 500;

    /**
     * Products of the rule now and as they were kept; null if they are too many, or all.
     *
     * @return list<int>|null
     */
    public static function of(int $rule): ?array
    {
        $max = self::PRODUCTS_MAX + 1;
        $ids = array_map('intval', Sql::column("SELECT `id_product` FROM `{prefix}specific_price` WHERE `id_specific_price_rule` = $rule
            UNION SELECT `id_product` FROM `{prefix}findwell_rule` WHERE `id_rule` = $rule LIMIT $max"));

        return in_array(0, $ids, true) || count($ids) > self::PRODUCTS_MAX ? null : $ids;
    }

    /** Keeps the products of a rule, because a deletion removes its rows before any hook is called. */
    public static function keep(int $rule): void
    {
        Sql::run("DELETE FROM `{prefix}findwell_rule` WHERE `id_rule` = $rule");
        Sql::run("INSERT IGNORE INTO `{prefix}findwell_rule` (`id_rule`, `id_product`)
            SELECT DISTINCT `id_specific_price_rule`, `id_product` FROM `{prefix}specific_price`
            WHERE `id_specific_price_rule` = $rule LIMIT " . (self::PRODUCTS_MAX + 1));
    }

    /** Keeps the products of all rules, also those that were changed without a hook. */
    public static function keepAll(): void
    {
        $rules = Sql::column('SELECT `id_specific_price_rule` FROM `{prefix}specific_price_rule`
            UNION SELECT `id_rule` FROM `{prefix}findwell_rule` LIMIT 1000');
        foreach ($rules as $rule) {
            self::keep((int) $rule);
        }
    }
}
