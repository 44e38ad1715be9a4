<?php

/**
 * Findwell: tests of hooks, on a database of their own: which object they note, and for whom.
 * 1. Every hook of the list has a method, is fired by the platform's objects, and notes what it should.
 * 2. A price of one cart or customer concerns nobody else; one of all products makes a pass due.
 * 3. A variant and a tag stand for their products; a rule for those before and after, also when it was deleted.
 * 4. Orders are queued, and no statement is sent before the end of the request; an address with a VAT number queues everything.
 * 5. Shops that are not connected, refused, switched off or copied get nothing; every connected shop gets its own.
 * 6. A save whose request uploaded a file is sent like any other; whatever is thrown, and in whichever shop, no change is lost.
 * 7. Whatever goes wrong stays in the handler, and stands in the log without keys.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use AttributeGroup;
use CMS;
use Category;
use Combination;
use Context;
use Db;
use Error;
use Exception;
use Findwell;
use Findwell\Platform\Boot;
use Findwell\Platform\Changes;
use Findwell\Platform\HookList;
use Findwell\Platform\PassTable;
use Findwell\Platform\Settings;
use Findwell\Tests\platform\support\ShopCase;
use Findwell\Tests\platform\support\Shopkeeper;
use Hook;
use Image;
use Link;
use Manufacturer;
use ObjectModel;
use Order;
use PrestaShopLogger;
use Product;
use Shop;
use SpecificPrice;
use SpecificPriceRule;
use StockAvailable;
use Tag;

final class HooksTest extends ShopCase
{
    protected function setUp(): void
    {
        parent::setUp();
        self::connect(1);
    }

    /** The switch "send at once" is off, so that everything noted can be seen in the queue. */
    private static function connect(int $shop): void
    {
        $values = ['key' => 'con_secretsecret', 'base_address' => 'http://127.0.0.1:9', 'choices' => ['on_change' => false],
            'seen_address' => 'http://' . Shop::$shops[$shop], 'languages' => ['indexed' => ['en'], 'skipped' => []]];
        foreach ($values as $name => $value) {
            Settings::of($shop)->set($name, $value);
        }
    }

    /** @return list<string> type:id */
    private static function queued(int $shop = 1): array
    {
        return Shopkeeper::column("SELECT CONCAT(type, ':', id_object) FROM {prefix}findwell_queue WHERE id_shop = $shop ORDER BY type, id_object");
    }

    /** @return list<string> */
    private static function due(int $shop = 1): array
    {
        $types = ['products', 'categories', 'brands', 'pages'];

        return array_values(array_filter($types, static fn (string $type): bool => (new PassTable($shop))->load($type)->isDue));
    }

    private static function nothingNoted(): void
    {
        Db::$connection->exec('DELETE FROM ps_findwell_queue');
        Db::$connection->exec('DELETE FROM ps_findwell_pass');
    }

    public function testEveryHookHasAMethod(): void
    {
        self::assertGreaterThan(70, count(HookList::all()));
        foreach (HookList::all() as $name) {
            self::assertTrue(method_exists($this->module, 'hook' . ucfirst($name)), $name);
        }
        $methods = preg_grep('/^hook/', get_class_methods($this->module));
        self::assertCount(count(HookList::all()), $methods, 'none that is not registered');
    }

    public function testObjects(): void
    {
        $all = ['products', 'categories', 'brands', 'pages'];
        $expected = [
            'Product' => [['products:7'], []], 'StockAvailable' => [['products:9'], []], 'Image' => [['products:9'], []],
            'Combination' => [['products:9'], []], 'SpecificPrice' => [['products:9'], []], 'SpecificPriceRule' => [[], []], 'Tag' => [[], []],
            'Category' => [['categories:7'], ['products']], 'CMS' => [['pages:7'], []], 'CMSCategory' => [[], ['pages']],
            'Manufacturer' => [['brands:7'], ['products']], 'Supplier' => [[], ['products']], 'Feature' => [[], ['products']],
            'FeatureValue' => [[], ['products']], 'ProductAttribute' => [[], ['products']], 'AttributeGroup' => [[], ['products']],
        ] + array_fill_keys(['Group', 'GroupReduction', 'Currency', 'Tax', 'TaxRule', 'Language', 'ShopUrl'], [[], $all]);
        self::assertEqualsCanonicalizing(array_keys(HookList::OBJECTS), array_keys($expected));
        $methods = ['A' => 'add', 'U' => 'update', 'D' => 'delete'];
        foreach (HookList::OBJECTS as $class => $events) {
            foreach (str_split($events) as $event) {
                self::nothingNoted();
                $object = new $class(7);
                $object->id_product = 9;
                $object->{$methods[$event]}();
                Shopkeeper::endRequest();
                self::assertSame($expected[$class], [self::queued(), self::due()], "$class $event");
                $isDeclared = in_array($class, ['Group', 'GroupReduction', 'Currency', 'Tax', 'TaxRule', 'Language', 'ShopUrl'], true);
                self::assertSame($isDeclared ? true : null, Settings::of(1)->get('declarations_due'), $class);
                Settings::of(1)->set('declarations_due', null);
            }
        }
    }

    public function testOtherHooks(): void
    {
        Shopkeeper::product(4);
        Hook::exec('actionProductSave', ['id_product' => '3']);
        Hook::exec('actionUpdateQuantity', ['id_product' => 3, 'quantity' => 1]);
        Hook::exec('actionProductAttributeDelete', ['id_product' => 5]);
        Hook::exec('actionAttributeCombinationSave', ['id_product_attribute' => 8]);
        Shopkeeper::endRequest();
        self::assertSame(['products:3', 'products:4', 'products:5'], self::queued(), 'the product of variant 8 is 4');
    }

    public function testSpecificPrices(): void
    {
        foreach ([['id_cart' => 1], ['id_customer' => 1], ['id_product' => 0]] as $values) {
            self::nothingNoted();
            $price = new SpecificPrice(1);
            $price->id_product = 9;
            foreach ($values as $name => $value) {
                $price->$name = $value;
            }
            $price->add();
            Shopkeeper::endRequest();
            $isOfAll = isset($values['id_product']);
            self::assertSame([[], $isOfAll ? ['products'] : []], [self::queued(), self::due()]);
        }
    }

    public function testRules(): void
    {
        foreach ([2, 3] as $product) {
            Shopkeeper::row('specific_price', ['id_specific_price_rule' => 5, 'id_product' => $product]);
        }
        (new SpecificPriceRule(5))->add();
        Shopkeeper::endRequest();
        self::assertSame(['products:2', 'products:3'], self::queued());
        self::nothingNoted();
        $rule = new SpecificPriceRule(5);
        // The platform replaces its rows between the two hooks of an update.
        Hook::exec('actionObjectSpecificPriceRuleUpdateBefore', ['object' => $rule]);
        Db::$connection->exec('UPDATE ps_specific_price SET id_product = 4 WHERE id_product = 3');
        Hook::exec('actionObjectSpecificPriceRuleUpdateAfter', ['object' => $rule]);
        Shopkeeper::endRequest();
        self::assertSame(['products:2', 'products:3', 'products:4'], self::queued());
        self::nothingNoted();
        $rule->delete();
        Shopkeeper::endRequest();
        self::assertSame(['products:2', 'products:4'], self::queued(), 'its rows were gone before any hook');
        self::assertSame('0', Shopkeeper::value('SELECT COUNT(*) FROM {prefix}findwell_rule'));
    }

    public function testLargeRule(): void
    {
        foreach (range(1, 501) as $product) {
            Shopkeeper::row('specific_price', ['id_specific_price_rule' => 5, 'id_product' => $product]);
        }
        (new SpecificPriceRule(5))->add();
        Shopkeeper::endRequest();
        self::assertSame([[], ['products']], [self::queued(), self::due()]);
    }

    public function testTags(): void
    {
        Shopkeeper::row('product_tag', ['id_tag' => 7, 'id_product' => 2]);
        Shopkeeper::row('product_tag', ['id_tag' => 8, 'id_product' => 3]);
        (new Tag(7))->update();
        Shopkeeper::endRequest();
        self::assertSame(['products:2'], self::queued());
    }

    public function testOrders(): void
    {
        Settings::of(1)->set('choices', ['on_change' => true]);
        foreach ([[1, 2], [1, 5], [2, 7], [3, 8]] as [$order, $product]) {
            Shopkeeper::row('order_detail', ['id_order' => $order, 'product_id' => $product, 'product_quantity' => 1]);
        }
        Db::$statements = [];
        Hook::exec('actionOrderStatusPostUpdate', ['id_order' => 1]);
        Hook::exec('actionValidateOrder', ['order' => new Order(1)]);
        Hook::exec('actionValidateOrder', ['order' => new Order(2)]);
        self::assertSame([], preg_grep('/order/', Db::$statements), 'nothing is read while the shopper waits');
        Shopkeeper::endRequest();
        self::assertSame(['products:2', 'products:5', 'products:7'], self::queued());
        self::assertNull(Settings::of(1)->get('breaker'), 'nothing was tried');
    }

    public function testAddressWithVatNumber(): void
    {
        Settings::of(1)->set('choices', ['on_change' => true]);
        Shopkeeper::row('address', ['id_address' => 3, 'vat_number' => 'ESB12345678']);
        Shopkeeper::row('address', ['id_address' => 4, 'vat_number' => '']);
        Context::getContext()->cart = (object) ['id_address_delivery' => '3'];
        (new Product(7))->update();
        Shopkeeper::endRequest();
        self::assertSame(['products:7'], self::queued());
        self::assertNull(Settings::of(1)->get('breaker'), 'nothing was tried');
        Context::getContext()->cart = (object) ['id_address_delivery' => '4'];
        (new Product(8))->update();
        Shopkeeper::endRequest();
        self::assertSame(1, Settings::of(1)->get('breaker')['failures'], 'tried, at an address where nobody listens');
        self::assertSame(['products:7', 'products:8'], self::queued());
    }

    public function testShops(): void
    {
        Shop::$shops += [2 => 'second.example', 3 => 'third.example', 4 => 'fourth.example'];
        $this->module->uninstall();
        (new Findwell())->install();
        foreach (array_keys(Shop::$shops) as $shop) {
            self::connect($shop);
        }
        Settings::of(2)->set('broken', 'key_invalid');
        Settings::of(3)->set('seen_address', 'http://elsewhere.example');
        Db::$connection->exec('DELETE FROM ps_module_shop WHERE id_shop = 4');
        Shopkeeper::forgetRequest();
        (new Product(7))->update();
        Shopkeeper::endRequest();
        self::assertSame([['products:7'], [], [], []], array_map(self::queued(...), [1, 2, 3, 4]));
        Settings::of(2)->set('broken', null);
        (new Product(8))->update();
        Shopkeeper::endRequest();
        self::assertSame([['products:7', 'products:8'], ['products:8']], array_map(self::queued(...), [1, 2]));
    }

    public function testManyObjects(): void
    {
        foreach (range(1, 501) as $id) {
            (new Product($id))->update();
        }
        Shopkeeper::endRequest();
        self::assertSame([[], ['products']], [self::queued(), self::due()]);
    }

    public function testOddObjects(): void
    {
        foreach ([null, [], 'x', new ObjectModel()] as $object) {
            foreach (HookList::OBJECTS as $class => $events) {
                $this->module->{"hookActionObject{$class}UpdateAfter"}(['object' => $object]);
            }
        }
        Shopkeeper::endRequest();
        self::assertSame([], self::queued());
        $this->module->hookActionProductSave([]);
        $this->module->hookActionProductSave(['id_product' => "1' OR 1=1"]);
        $this->module->hookActionValidateOrder([]);
        $this->module->hookActionOrderStatusPostUpdate(['id_order' => ['x']]);
        Shopkeeper::endRequest();
        self::assertSame(['products:1'], self::queued());
    }

    public function testSaveWithAnUploadedFile(): void
    {
        Settings::of(1)->set('choices', ['on_change' => true]);
        Shopkeeper::product(7);
        Shopkeeper::row('manufacturer', ['id_manufacturer' => 7, 'name' => 'Brand', 'active' => 1]);
        Shopkeeper::row('manufacturer_shop', ['id_manufacturer' => 7, 'id_shop' => 1]);
        $file = ['name' => 'new.png', 'type' => 'image/png', 'tmp_name' => '/tmp/moved-by-now', 'error' => UPLOAD_ERR_OK, 'size' => 1];
        foreach ([new Product(7), new Manufacturer(7), new Category(4)] as $number => $object) {
            $_FILES = ['picture' => $file];
            $object->update();
            Shopkeeper::endRequest();
            self::assertSame([], PrestaShopLogger::$lines);
            self::assertSame($number + 1, Settings::of(1)->get('breaker')['failures'], 'tried, at an address where nobody listens');
            self::assertSame(['picture' => $file], $_FILES);
        }
        self::assertSame(['brands:7', 'categories:4', 'products:7'], self::queued());
    }

    public function testWhatIsThrownLosesNoChange(): void
    {
        Settings::of(1)->set('choices', ['on_change' => true]);
        Shopkeeper::product(7);
        foreach ([new Exception('odd'), new Error('odd')] as $failure) {
            self::nothingNoted();
            Link::$failure = $failure;
            (new Product(7))->update();
            Shopkeeper::endRequest();
            self::assertSame(['products:7'], self::queued());
        }
        self::assertCount(2, PrestaShopLogger::$lines);
    }

    public function testShopThatThrowsIsNothingToTheOthers(): void
    {
        Shop::$shops += [2 => 'second.example'];
        $this->module->uninstall();
        (new Findwell())->install();
        self::connect(1);
        self::connect(2);
        foreach ([1, 2] as $shop) {
            Settings::of($shop)->set('choices', ['on_change' => true]);
            Settings::of($shop)->set('seen_address', 'http://' . Shop::$shops[$shop]);
        }
        Shopkeeper::forgetRequest();
        Shopkeeper::product(7);
        Link::$failure = new Error('odd');
        (new Product(7))->update();
        Shopkeeper::endRequest();
        self::assertSame([['products:7'], ['products:7']], [self::queued(1), self::queued(2)]);
    }

    public function testQueueThatCannotBeWritten(): void
    {
        Db::$connection->exec('RENAME TABLE ps_findwell_queue TO ps_gone');
        try {
            (new Product(7))->update();
            Shopkeeper::endRequest();
        } finally {
            Db::$connection->exec('RENAME TABLE ps_gone TO ps_findwell_queue');
        }
        self::assertSame([[], ['products']], [self::queued(), self::due()], 'a pass finds it');
    }

    public function testTablesOfTheFirstVersion(): void
    {
        Db::$connection->exec('ALTER TABLE ps_findwell_queue DROP COLUMN stamp');
        Settings::of(0)->set('schema', 1);
        Shopkeeper::forgetRequest();
        (new Product(7))->update();
        Shopkeeper::endRequest();
        self::assertSame(['products:7'], self::queued());
    }

    public function testFailures(): void
    {
        Db::$connection->exec('RENAME TABLE ps_product_attribute TO ps_gone');
        try {
            (new Product(7))->update();
            Hook::exec('actionAttributeCombinationSave', ['id_product_attribute' => 8]);
            Shopkeeper::endRequest();
        } finally {
            Db::$connection->exec('RENAME TABLE ps_gone TO ps_product_attribute');
        }
        self::assertSame(['products'], self::due(), 'nobody knows whose the variant is');
        self::assertCount(1, PrestaShopLogger::$lines);
        self::assertStringContainsString('ps_product_attribute', PrestaShopLogger::$lines[0]);
        self::assertStringNotContainsString('con_secretsecret', implode(PrestaShopLogger::$lines));
        self::assertLessThanOrEqual(500, strlen(PrestaShopLogger::$lines[0]));
    }
}
