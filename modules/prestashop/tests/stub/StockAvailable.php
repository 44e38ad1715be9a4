<?php

/**
 * Findwell: stub of the platform for tests: stock, which two shops may share.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class StockAvailable extends ObjectModel
{
    public $id_product;

    public static function addSqlShopRestriction($sql = null, $shop = null, $alias = null)
    {
        return ' AND id_shop = ' . (int) $shop . ' AND id_shop_group = 0 ';
    }
}
