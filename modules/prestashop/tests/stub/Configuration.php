<?php

/**
 * Findwell: stub of the platform for tests: values of the configuration, where a shop falls back to all shops.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Configuration
{
    /** @var array<int, array<string, mixed>> shop, where 0 is all of them */
    public static array $values = [];

    public static function get($key, $idLang = null, $idShopGroup = null, $idShop = null, $default = false)
    {
        $shop = (int) ($idShop ?? Shop::getContextShopID());

        return self::$values[$shop][$key] ?? self::$values[0][$key] ?? $default;
    }

    public static function updateValue($key, $values, $html = false, $idShopGroup = null, $idShop = null)
    {
        self::$values[(int) $idShop][$key] = $html ? $values : strip_tags((string) $values);

        return true;
    }

    public static function deleteByName($key)
    {
        foreach (array_keys(self::$values) as $shop) {
            unset(self::$values[$shop][$key]);
        }

        return true;
    }

    public static function isCatalogMode()
    {
        return (bool) self::get('PS_CATALOG_MODE') || !self::showPrices();
    }

    /** Catalogue mode is nothing to it, in the platform too. */
    public static function showPrices()
    {
        return Group::isFeatureActive() ? (bool) Group::getCurrent()->show_prices : true;
    }
}
