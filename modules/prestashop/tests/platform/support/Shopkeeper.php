<?php

/**
 * Findwell: the shop of a test: installs the module into an empty shop, and puts objects into its tables.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform\support;

use Combination;
use Configuration;
use Context;
use Country;
use Db;
use Findwell;
use Findwell\Platform\Changes;
use Findwell\Platform\EndOfRequest;
use Findwell\Platform\Settings;
use FrontController;
use Group;
use GroupReduction;
use Hook;
use Link;
use Module;
use PrestaShopLogger;
use Product;
use ReflectionProperty;
use Shop;
use SpecificPrice;

final class Shopkeeper
{
    private const HOME = 2;

    /** An empty shop with the categories root, home and two below, three of which are open to everybody. */
    public static function open(): Findwell
    {
        Database::open();
        require_once __DIR__ . '/../../../findwell/findwell.php';
        Shop::$shops = [1 => 'shop.example'];
        Shop::setContext(Shop::CONTEXT_SHOP, 1);
        Configuration::$values = [0 => ['PS_LANG_DEFAULT' => 1, 'PS_CURRENCY_DEFAULT' => 1, 'PS_UNIDENTIFIED_GROUP' => 1,
            'PS_COUNTRY_DEFAULT' => 6, 'PS_NB_DAYS_NEW_PRODUCT' => 20, 'PS_STOCK_MANAGEMENT' => 1, 'PS_TAX_ADDRESS_TYPE' => 'id_address_delivery']];
        $context = Context::getContext();
        [$context->shop, $context->link, $context->cart] = [new Shop(1), new Link(), null];
        [Module::$mayConfigure, Module::$rejectedHook, Product::$price, Group::$isActive] = [true, null, null, true];
        [Group::$current, Group::$hiding, FrontController::$groups, Country::$isFranceActive] = [1, [], [], true];
        [Product::$isStrange, Combination::$isActive] = [false, true];
        Product::resetStaticCache();
        GroupReduction::resetStaticCache();
        SpecificPrice::flushCache();
        [PrestaShopLogger::$lines, Hook::$executed, $_FILES, Link::$failure] = [[], [], [], null];
        self::forgetRequest();
        for ($group = 1; $group <= 4; ++$group) {
            self::row('group', ['id_group' => $group]);
        }
        foreach ([[1, 0, 1, 20], [self::HOME, 1, 2, 19], [3, self::HOME, 3, 10], [4, 3, 4, 9], [5, self::HOME, 11, 12]] as [$id, $parent, $left, $right]) {
            self::row('category', ['id_category' => $id, 'id_parent' => $parent, 'active' => 1, 'nleft' => $left, 'nright' => $right]);
            self::category($id, $id === 5 ? [3] : [1, 2, 3, 4]);
        }
        $module = new Findwell();
        $module->install();

        return new Findwell();
    }

    /**
     * @param list<int> $groups
     */
    private static function category(int $id, array $groups): void
    {
        self::row('category_shop', ['id_category' => $id, 'id_shop' => 1]);
        foreach ([1, 2] as $language) {
            self::row('category_lang', ['id_category' => $id, 'id_shop' => 1, 'id_lang' => $language, 'name' => "Category $id", 'link_rewrite' => "c$id"]);
        }
        foreach ($groups as $group) {
            self::row('category_group', ['id_category' => $id, 'id_group' => $group]);
        }
    }

    /**
     * @param array<string, int|string|null> $values
     */
    public static function row(string $table, array $values): void
    {
        $names = implode(',', array_map(static fn (string $name): string => "`$name`", array_keys($values)));
        $marks = implode(',', array_fill(0, count($values), '?'));
        Db::$connection->prepare('INSERT INTO `' . _DB_PREFIX_ . "$table` ($names) VALUES ($marks)")->execute(array_values($values));
    }

    /**
     * A product with two variants, a picture, a tag, a feature and two sold units.
     *
     * @param array<string, int|string> $changes of its row in the shop
     */
    public static function product(int $id, array $changes = [], int $category = 4): void
    {
        self::row('product', ['id_product' => $id, 'reference' => sprintf('00%d', $id), 'state' => 1]);
        self::row('product_shop', $changes + ['id_product' => $id, 'id_shop' => 1, 'id_category_default' => $category, 'condition' => 'new',
            'available_for_order' => 1, 'show_price' => 1, 'active' => 1, 'visibility' => 'both', 'price' => 10]);
        foreach ([1, 2] as $language) {
            self::row('product_lang', ['id_product' => $id, 'id_shop' => 1, 'id_lang' => $language, 'name' => "Product $id", 'link_rewrite' => "p$id"]);
        }
        self::row('category_product', ['id_category' => $category, 'id_product' => $id]);
        self::row('stock_available', ['id_product' => $id, 'id_shop' => 1, 'quantity' => 7, 'out_of_stock' => 2]);
        self::row('image', ['id_image' => $id, 'id_product' => $id]);
        self::row('image_shop', ['id_image' => $id, 'id_product' => $id, 'id_shop' => 1, 'cover' => 1]);
        foreach ([2 * $id, 2 * $id + 1] as $variant) {
            self::row('product_attribute', ['id_product_attribute' => $variant, 'id_product' => $id, 'reference' => "0v$variant"]);
            self::row('product_attribute_shop', ['id_product' => $id, 'id_product_attribute' => $variant, 'id_shop' => 1,
                'default_on' => $variant % 2 ?: null]);
            self::row('product_attribute_combination', ['id_attribute' => 1 + $variant % 2, 'id_product_attribute' => $variant]);
        }
        self::row('order_detail', ['id_order' => 1, 'product_id' => $id, 'product_quantity' => 2]);
    }

    /** What products share: attributes, a feature, an order that counts. */
    public static function shared(): void
    {
        self::row('orders', ['id_order' => 1, 'id_shop' => 1, 'valid' => 1]);
        self::row('attribute_group', ['id_attribute_group' => 1]);
        foreach ([1, 2] as $language) {
            self::row('attribute_group_lang', ['id_attribute_group' => 1, 'id_lang' => $language, 'public_name' => 'Colour']);
            self::row('attribute_lang', ['id_attribute' => 1, 'id_lang' => $language, 'name' => 'Red']);
            self::row('attribute_lang', ['id_attribute' => 2, 'id_lang' => $language, 'name' => 'Blue']);
        }
        self::row('attribute', ['id_attribute' => 1, 'id_attribute_group' => 1]);
        self::row('attribute', ['id_attribute' => 2, 'id_attribute_group' => 1]);
    }

    /** Ends the request, as the platform's process does, and begins another. */
    public static function endRequest(): void
    {
        (new EndOfRequest())->run(Changes::ofRequest());
        self::forgetRequest();
    }

    public static function forgetRequest(): void
    {
        Settings::forget();
        (new ReflectionProperty(Changes::class, 'ofRequest'))->setValue(null, null);
    }

    public static function value(string $sql): ?string
    {
        $value = Db::$connection->query(str_replace('{prefix}', _DB_PREFIX_, $sql))->fetchColumn();

        return $value === false || $value === null ? null : (string) $value;
    }

    /**
     * @return list<string>
     */
    public static function column(string $sql): array
    {
        return Db::$connection->query(str_replace('{prefix}', _DB_PREFIX_, $sql))->fetchAll(\PDO::FETCH_COLUMN);
    }
}
