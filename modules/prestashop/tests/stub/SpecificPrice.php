<?php

/**
 * Findwell: stub of the platform for tests: prices of their own.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class SpecificPrice extends ObjectModel
{
    public static int $flushes = 0;
    /** @var array<int, bool> */
    protected static $_couldHaveSpecificPriceCache = [];

    public $id_product;
    public $id_cart;
    public $id_customer;

    public static function flushCache()
    {
        ++self::$flushes;
        self::$_couldHaveSpecificPriceCache = [];
    }

    /** Half of the price, as from any row. */
    public static function getSpecificPrice($id_product, $id_shop, $id_currency, $id_country, $id_group, $quantity)
    {
        self::$_couldHaveSpecificPriceCache[$id_product] ??= Db::getInstance()->executeS('SELECT 1 FROM ' . _DB_PREFIX_
            . "specific_price WHERE id_product = $id_product", true, false) !== [];

        return self::$_couldHaveSpecificPriceCache[$id_product] ? ['reduction' => 0.5] : [];
    }
}
