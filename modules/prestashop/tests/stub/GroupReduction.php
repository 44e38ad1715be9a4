<?php

/**
 * Findwell: stub of the platform for tests: discounts of groups.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class GroupReduction extends ObjectModel
{
    public static int $resets = 0;

    /** @var array<string, mixed> */
    protected static $reduction_cache = [];

    public static function resetStaticCache()
    {
        ++self::$resets;
        self::$reduction_cache = [];
    }

    public static function getValueForProduct($id_product, $id_group)
    {
        if (!Group::isFeatureActive()) {
            return 0;
        }
        $key = "$id_product-$id_group";
        if (!isset(self::$reduction_cache[$key])) {
            $rows = Db::getInstance()->executeS('SELECT reduction FROM ' . _DB_PREFIX_ . "product_group_reduction_cache
                WHERE id_product = $id_product AND id_group = $id_group", true, false);
            self::$reduction_cache[$key] = $rows[0]['reduction'] ?? false;
        }

        return self::$reduction_cache[$key];
    }
}
