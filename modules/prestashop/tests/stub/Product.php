<?php

/**
 * Findwell: stub of the platform for tests: products, whose price a test gives.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Product extends ObjectModel
{
    /** @var callable|null gets the arguments of a calculation */
    public static $price = null;
    public static int $calculations = 0;
    public static int $resets = 0;

    public $link_rewrite;
    public $ean13;
    public $reference;
    public $id_manufacturer;
    public $category;

    public static function resetStaticCache()
    {
        ++self::$resets;
    }

    public static function checkAccessStatic($id_product, $id_customer)
    {
        return true;
    }

    public static function getPriceStatic(
        $id_product,
        $usetax = true,
        $id_product_attribute = null,
        $decimals = 6,
        $divisor = null,
        $only_reduc = false,
        $usereduc = true
    ) {
        return $usereduc ? 12.1 : 24.2;
    }

    public static function priceCalculation(
        $id_shop,
        $id_product,
        $id_product_attribute,
        $id_country,
        $id_state,
        $zipcode,
        $id_currency,
        $id_group,
        $quantity,
        $use_tax,
        $decimals,
        $only_reduc,
        $use_reduc,
        $with_ecotax,
        &$specific_price,
        $use_group_reduction,
        $id_customer = 0,
        $use_customer_price = true,
        $id_cart = 0,
        $real_quantity = 0,
        $id_customization = 0
    ) {
        ++self::$calculations;
        // A visitor without cart, and nobody's price.
        if ([$id_state, $zipcode, $id_customer, $use_customer_price, $id_cart] !== [0, '', 0, false, 0]) {
            throw new LogicException('a price of somebody');
        }

        return self::$price === null
            ? 10.0 * ($use_tax ? 1.21 : 1.0)
            : (self::$price)($id_shop, $id_product, $id_country, $id_currency, $id_group, $use_tax, $use_reduc);
    }
}
