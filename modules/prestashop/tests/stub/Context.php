<?php

/**
 * Findwell: stub of the platform for tests: who asks, and for what.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Context
{
    private static ?Context $instance = null;

    public ?Shop $shop = null;
    public ?Link $link = null;
    public ?object $language = null;
    public ?object $currency = null;
    public ?object $country = null;
    public ?object $customer = null;
    public ?object $cart = null;
    public ?object $employee = null;
    public ?object $smarty = null;
    public ?object $controller = null;

    public static function getContext()
    {
        return self::$instance ??= new self();
    }

    public function getCurrentLocale()
    {
        return new class {
            public function formatPrice($number, $currencyCode)
            {
                return sprintf('%.2f %s', $number, $currencyCode);
            }
        };
    }
}
