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

    public $id_product;
    public $id_cart;
    public $id_customer;

    public static function flushCache()
    {
        ++self::$flushes;
    }
}
