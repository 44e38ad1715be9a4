<?php

/**
 * Findwell: tests of what a page of products costs and holds, on a database of its own.
 * 1. A page of 200 products takes a fixed number of statements, and none for each product.
 * 2. No statement is longer than 8 KiB; prices are calculated four times for each product and context.
 * 3. A document has the texts, codes, variants, categories, stock, sales and groups of its product.
 * 4. In scope is what is active, visible in search and in an active category of the shop.
 * 5. The context of the request is what it was.
 * 6. The ids of a page are found without reading the products of other pages.
 * 7. The tax rules group of each product is where the platform looks for it before it asks the database.
 * 8. Prices, discounts and reductions of groups are there, too, and the prices are those that the platform calculates alone;
 *    a platform that keeps them otherwise, or an override of the shop, is left to itself.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use Cache;
use Combination;
use Configuration;
use Context;
use Db;
use Findwell\Core\Sync\PassEngine;
use Findwell\Platform\PriceCaches;
use Findwell\Platform\Settings;
use Findwell\Platform\ShopSync;
use Findwell\Tests\platform\support\ShopCase;
use Findwell\Tests\platform\support\Shopkeeper;
use Group;
use PDO;
use Product;
use Shop;

final class ProductPageTest extends ShopCase
{
    private const STATEMENTS_MAX = 18;

    /**
     * @param list<int> $ids
     */
    private static function documents(array $ids): array
    {
        $documents = (new ShopSync(1))->catalog()->documents('products', $ids, ['en', 'es']);

        return ['en' => $documents->in('en'), 'es' => $documents->in('es')];
    }

    public function testCost(): void
    {
        Shopkeeper::shared();
        foreach (range(1, PassEngine::OBJECTS_MAX) as $id) {
            Shopkeeper::product($id);
        }
        $declared = ['currencies' => ['USD'], 'tiers' => [3, 4], 'countries' => ['fr'], 'cross' => false, 'notes' => []];
        foreach ([[null, 1], [$declared, 8]] as [$contexts, $count]) {
            Settings::of(1)->set('declared', $contexts);
            $catalog = (new ShopSync(1))->catalog();
            // The tree of categories is read once for all pages, and the caches of the platform are compared once.
            $catalog->documents('products', range(1, 10), ['en', 'es']);
            $catalog->flushCaches();
            [Db::$statements, Product::$calculations] = [[], 0];
            $ids = $catalog->pageIds('products', 0, PassEngine::OBJECTS_MAX);
            $documents = $catalog->documents('products', $ids, ['en', 'es']);
            self::assertSame(range(1, PassEngine::OBJECTS_MAX), $ids);
            self::assertCount(PassEngine::OBJECTS_MAX, $documents->in('es'));
            self::assertLessThanOrEqual(self::STATEMENTS_MAX, count(Db::$statements), implode("\n", Db::$statements));
            self::assertLessThan(8192, max(array_map('strlen', Db::$statements)));
            self::assertSame(PassEngine::OBJECTS_MAX * 4 * $count, Product::$calculations);
        }
    }

    public function testDocument(): void
    {
        Shopkeeper::shared();
        Shopkeeper::product(12);
        Shopkeeper::row('tag', ['id_tag' => 1, 'id_lang' => 1, 'name' => 'summer']);
        Shopkeeper::row('product_tag', ['id_product' => 12, 'id_tag' => 1, 'id_lang' => 1]);
        $document = self::documents([12])['en'][12];
        self::assertSame(['12', 'Product 12', '0012'], [$document['id'], $document['name'], $document['reference']]);
        self::assertSame('http://shop.example/1/c4/12-p12.html', $document['url']);
        self::assertSame('http://shop.example/12-home_default/p12.jpg', $document['image']);
        self::assertSame(['3', '4'], $document['categoryIds']);
        self::assertSame([['id' => '4', 'name' => 'Category 4', 'path' => ['Category 3', 'Category 4'], 'default' => true]], $document['categories']);
        self::assertSame(['0v24', '0v25'], $document['combinationReferences']);
        self::assertSame(['summer'], $document['tags']);
        self::assertSame([2, 7, true], [$document['sales_count'], $document['quantity'], $document['inStock']]);
        self::assertSame(['1', '2', '3', '4'], $document['accessGroups']);
        self::assertEqualsWithDelta([12.1, 10.0], [$document['priceInclTax'], $document['priceExclTax']], 0.0001);
    }

    public function testPricesOfTheDefaultVariantAndBaseOfTheShop(): void
    {
        Shopkeeper::product(12);
        $seen = [];
        Product::$price = static function (...$arguments) use (&$seen): float {
            $seen[] = array_slice($arguments, 0, 5);

            return 5.0;
        };
        // A shopper of another country and currency looks at the shop in the request that sends.
        Context::getContext()->country = (object) ['id' => 8, 'iso_code' => 'FR'];
        self::documents([12]);
        self::assertSame([[1, 12, 6, 1, 1]], array_values(array_unique($seen, SORT_REGULAR)));
    }

    public function testScope(): void
    {
        $changes = [1 => [], 2 => ['active' => 0], 3 => ['visibility' => 'none'], 4 => ['visibility' => 'catalog'], 5 => ['visibility' => 'search'],
            6 => ['id_shop' => 2]];
        foreach ($changes as $id => $change) {
            Shopkeeper::product($id, $change);
        }
        Shopkeeper::product(7);
        Db::$connection->exec('UPDATE ps_product SET state = 0 WHERE id_product = 7');
        Shopkeeper::product(8, [], 99);
        self::assertSame([1, 5], (new ShopSync(1))->catalog()->pageIds('products', 0, 100));
        self::assertSame([5], (new ShopSync(1))->catalog()->pageIds('products', 1, 100));
        self::assertSame([1, 5], array_keys(self::documents(range(1, 8))['en']));
    }

    public function testIdsAreReadInOrder(): void
    {
        Db::$connection->exec('ALTER TABLE ps_product ADD KEY state (state)');
        Db::$connection->exec('ALTER TABLE ps_product_shop ADD PRIMARY KEY (id_product, id_shop)');
        Db::$connection->exec('ALTER TABLE ps_category_product ADD KEY id_product (id_product)');
        Db::$connection->exec('ALTER TABLE ps_category_shop ADD PRIMARY KEY (id_category, id_shop)');
        Db::$connection->exec('INSERT INTO ps_product (id_product, state) SELECT seq, seq % 2 FROM seq_1_to_3000');
        Db::$connection->exec("INSERT INTO ps_product_shop (id_product, id_shop, active, visibility) SELECT seq, 1, 1, 'both' FROM seq_1_to_3000");
        Db::$connection->exec('INSERT INTO ps_category_product (id_category, id_product) SELECT 4, seq FROM seq_1_to_3000');
        Db::$connection->query('ANALYZE TABLE ps_product, ps_product_shop, ps_category_product')->fetchAll();
        $catalog = (new ShopSync(1))->catalog();
        Db::$connection->exec('FLUSH STATUS');
        self::assertSame(range(101, 119, 2), $catalog->pageIds('products', 100, 10));
        $read = Db::$connection->query("SHOW STATUS LIKE 'Handler_read%'")->fetchAll(PDO::FETCH_KEY_PAIR);
        self::assertLessThan(300, array_sum($read), json_encode($read));
    }

    public function testTaxRulesGroupsAreRemembered(): void
    {
        Shopkeeper::product(1, ['id_tax_rules_group' => 3]);
        Shopkeeper::product(2, ['id_tax_rules_group' => 0]);
        Product::$price = static function (): float {
            self::assertSame(['product_id_tax_rules_group_1_1' => 3, 'product_id_tax_rules_group_2_1' => 0], Cache::$stored);

            return 5.0;
        };
        (new ShopSync(1))->catalog()->flushCaches();
        self::documents([1, 2]);
    }

    /** Products with and without variants, of which some have discounts, for a group or for all. */
    private static function pricedProducts(): void
    {
        foreach (range(1, 20) as $id) {
            Shopkeeper::product($id, ['price' => $id, 'ecotax' => $id % 2]);
        }
        Db::$connection->exec('DELETE FROM ps_product_attribute_shop WHERE id_product % 3 = 0');
        Db::$connection->exec('UPDATE ps_product_attribute_shop SET price = id_product_attribute');
        Db::$connection->exec('UPDATE ps_product_attribute_shop SET default_on = NULL WHERE id_product % 5 = 0');
        foreach ([2, 7, 12] as $id) {
            Shopkeeper::row('specific_price', ['id_product' => $id]);
            Shopkeeper::row('product_group_reduction_cache', ['id_product' => $id + 1, 'id_group' => 3, 'reduction' => 0.2]);
            Shopkeeper::row('product_group_reduction_cache', ['id_product' => $id + 2, 'id_group' => 1, 'reduction' => 0.1]);
        }
        Settings::of(1)->set('declared', ['currencies' => [], 'tiers' => [3], 'countries' => [], 'cross' => false, 'notes' => []]);
    }

    /** How often the platform asked for prices, discounts and reductions of one product. */
    private static function priceStatements(): int
    {
        return count(preg_grep('/FROM ps_(product_shop p|specific_price|product_group_reduction_cache)\b/', Db::$statements));
    }

    /** @return list<array{0: bool, 1: bool}> */
    public static function features(): array
    {
        return [[true, true], [true, false], [false, true]];
    }

    /** @dataProvider features */
    public function testFilledCachesChangeNoPrice(bool $hasVariants, bool $hasGroups): void
    {
        self::pricedProducts();
        [Combination::$isActive, Group::$isActive] = [$hasVariants, $hasGroups];
        Product::$isStrange = true;
        $alone = self::documents(range(1, 20));
        self::assertGreaterThan(20, self::priceStatements(), 'the platform asks for each product');
        Product::$isStrange = false;
        $catalog = (new ShopSync(1))->catalog();
        $catalog->flushCaches();
        self::assertSame($alone['en'], $catalog->documents('products', range(1, 20), ['en'])->in('en'));
        $catalog->flushCaches();
        Db::$statements = [];
        self::assertSame($alone['en'], $catalog->documents('products', range(1, 20), ['en'])->in('en'));
        self::assertSame(0, self::priceStatements(), implode("\n", Db::$statements));
        self::assertGreaterThan(1, count(array_unique(array_column($alone['en'], 'priceInclTax'))));
    }

    public function testAnOverrideIsSeen(): void
    {
        $core = new class () {
            public static function priceCalculation(): float
            {
                return 1.0;
            }
        };
        class_alias($core::class, 'FindwellTestCore');
        $plain = eval('return new class extends FindwellTestCore {};');
        $override = eval('return new class extends FindwellTestCore { public static function priceCalculation(): float { return 2.0; } };');
        $isOverridden = static fn (object $class): bool => PriceCaches::isOverridden($class::class, 'priceCalculation');
        self::assertSame([false, true, false], [$isOverridden($plain), $isOverridden($override), $isOverridden($core)]);
    }

    /** @return list<array{0: list<int>}> */
    public static function blocks(): array
    {
        return [[[3]], [range(1, 20)]];
    }

    /**
     * @dataProvider blocks
     *
     * @param list<int> $ids
     */
    public function testChangedPricesAreReadForTheNextDocuments(array $ids): void
    {
        self::pricedProducts();
        $catalog = (new ShopSync(1))->catalog();
        $catalog->flushCaches();
        $price = static fn (): float => array_column($catalog->documents('products', $ids, ['en'])->in('en'), 'priceExclTax', 'id')[3];
        $before = $price();
        Db::$connection->exec('UPDATE ps_product_shop SET price = 2 * price');
        self::assertEqualsWithDelta(2 * $before, $price(), 0.0001);
        Shopkeeper::row('specific_price', ['id_product' => 3]);
        self::assertEqualsWithDelta($before, $price(), 0.0001);
    }

    public function testGroupsAndHiddenPrices(): void
    {
        Shopkeeper::product(1, [], 5);
        Shopkeeper::product(2, ['show_price' => 0]);
        $documents = self::documents([1, 2])['en'];
        self::assertSame(['3'], $documents[1]['accessGroups']);
        self::assertArrayNotHasKey('priceInclTax', $documents[2]);
        Configuration::$values[1]['PS_CATALOG_MODE'] = 1;
        self::assertArrayNotHasKey('priceInclTax', self::documents([1])['en'][1]);
    }

    public function testMissingName(): void
    {
        Shopkeeper::product(1);
        Db::$connection->exec("UPDATE ps_product_lang SET name = '' WHERE id_lang = 2");
        $documents = self::documents([1]);
        self::assertSame('Product 1', $documents['en'][1]['name']);
        self::assertTrue(!isset($documents['es'][1]));
    }

    public function testOtherTypes(): void
    {
        Shopkeeper::product(1);
        Shopkeeper::row('manufacturer', ['id_manufacturer' => 1, 'name' => 'Studio', 'active' => 1]);
        Shopkeeper::row('manufacturer_shop', ['id_manufacturer' => 1, 'id_shop' => 1]);
        Shopkeeper::row('manufacturer_lang', ['id_manufacturer' => 1, 'id_lang' => 1]);
        Shopkeeper::row('cms', ['id_cms' => 3, 'id_cms_category' => 1, 'active' => 1]);
        Shopkeeper::row('cms_shop', ['id_cms' => 3, 'id_shop' => 1]);
        Shopkeeper::row('cms_lang', ['id_cms' => 3, 'id_shop' => 1, 'id_lang' => 1, 'meta_title' => 'Delivery', 'content' => '<p>By post</p>']);
        $catalog = (new ShopSync(1))->catalog();
        foreach (['categories' => [3, 4, 5], 'brands' => [1], 'pages' => [3]] as $type => $ids) {
            self::assertSame($ids, $catalog->pageIds($type, 0, 100), $type);
            Db::$statements = [];
            $documents = $catalog->documents($type, $ids, ['en'])->in('en');
            self::assertSame($ids, array_keys($documents), $type);
            self::assertLessThanOrEqual(8, count(Db::$statements), $type);
        }
    }

    public function testTheContextIsRestored(): void
    {
        Shopkeeper::product(1);
        Shop::$shops[2] = 'second.example';
        $context = Context::getContext();
        Shop::setContext(Shop::CONTEXT_GROUP, 5);
        $context->shop = $shop = new Shop(2);
        self::documents([1]);
        self::assertSame([Shop::CONTEXT_GROUP, 5], [Shop::getContext(), Shop::getContextShopGroupID()]);
        self::assertSame($shop, $context->shop);
    }
}
