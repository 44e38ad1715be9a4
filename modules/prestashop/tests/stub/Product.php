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
    /** Whether prices are kept as in a version that nobody knows. */
    public static bool $isStrange = false;
    /** @var array<string, array<int, array<string, mixed>>> */
    protected static $_pricesLevel2 = [];

    public $link_rewrite;
    public $ean13;
    public $reference;
    public $id_manufacturer;
    public $category;

    public static function resetStaticCache()
    {
        ++self::$resets;
        self::$_pricesLevel2 = [];
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

        if (self::$price !== null) {
            return (self::$price)($id_shop, $id_product, $id_country, $id_currency, $id_group, $use_tax, $use_reduc);
        }
        $discount = SpecificPrice::getSpecificPrice($id_product, $id_shop, $id_currency, $id_country, $id_group, $quantity);
        $kept = self::$_pricesLevel2["$id_product-$id_shop"] ??= self::kept((int) $id_product, (int) $id_shop);
        if (!isset($kept[(int) $id_product_attribute])) {
            return null;
        }
        ['price' => $price, 'attribute_price' => $ofVariant] = $kept[(int) $id_product_attribute];
        $price = ((float) $price + (float) $ofVariant) * ($use_tax ? 1.21 : 1.0) * ($use_reduc ? 1 - ($discount['reduction'] ?? 0) : 1);

        return $price * (1 - (float) GroupReduction::getValueForProduct($id_product, $id_group));
    }

    /**
     * @return array<int, array<string, mixed>> variant => prices
     */
    private static function kept(int $product, int $shop): array
    {
        $prefix = _DB_PREFIX_;
        $isActive = Combination::isFeatureActive();
        $columns = $isActive ? 'IFNULL(s.id_product_attribute, 0) AS variant, s.price AS attribute_price, s.ecotax AS attribute_ecotax, s.default_on' : '0 AS variant';
        $join = $isActive ? "LEFT JOIN {$prefix}product_attribute_shop s ON s.id_product = p.id_product AND s.id_shop = $shop" : '';
        $kept = [];
        $rows = Db::getInstance()->executeS("SELECT p.price, p.ecotax, $columns FROM {$prefix}product_shop p $join
            WHERE p.id_product = $product AND p.id_shop = $shop", true, false);
        foreach ($rows as $row) {
            $entry = ['price' => $row['price'], 'ecotax' => $row['ecotax'], 'attribute_price' => $row['attribute_price'] ?? null,
                'attribute_ecotax' => $row['attribute_ecotax'] ?? null] + (self::$isStrange ? ['currency' => null] : []);
            $kept[(int) $row['variant']] = $entry;
            if ((int) ($row['default_on'] ?? 0) === 1) {
                $kept[0] = $entry;
            }
        }

        return $kept;
    }
}
