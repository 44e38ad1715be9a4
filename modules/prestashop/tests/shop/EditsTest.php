<?php

/**
 * Findwell: scenarios of single edits in the shop, and what shoppers find of them; the number is that of the scenario.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop;

use Findwell\Core\Web\VisitorToken;
use Findwell\Tests\shop\support\ScenarioCase;

final class EditsTest extends ScenarioCase
{
    private const CHOICES = ['types' => ['products', 'categories', 'pages', 'brands'], 'on_change' => '1', 'hours' => '24', 'box' => 'field'];

    /** @return array<string, mixed> the whole response to a search for products */
    private function search(array $body): array
    {
        return self::$service->search((string) self::$shop->setting('public_key'), $body + ['lang' => 'en', 'types' => ['products']]);
    }

    private static function documents(): int
    {
        $indices = self::$service->details((string) self::$shop->setting('store_id'))['indices'];

        return array_sum(array_column(array_filter($indices, static fn (array $index): bool => $index['type'] === 'products'), 'documents'));
    }

    public function test04APriceAloneAndAnExactDelete(): void
    {
        $save = static fn (string $change): mixed =>
            self::$shop->php("\$p = new Product(9, false, null, 1); $change; \$p->setFieldsToUpdate(null); return \$p->save();");
        $price = fn (): float => (float) ($this->hits('demo_15')[0]['price'] ?? 0);
        [$before, $shopPrice] = [$price(), (float) self::$shop->value('SELECT price FROM {prefix}product_shop WHERE id_product = 9 AND id_shop = 1')];
        $save('$p->price = 2 * $p->price');
        $this->within(fn (): bool => abs($price() - 2 * $before) < 0.02, 'twice the price');
        $save("\$p->price = $shopPrice");
        $this->within(fn (): bool => $price() === $before, 'the former price');
        self::$service->calls();
        $save('$p->active = 0');
        $this->within(fn (): bool => !in_array('9', array_column($this->hits('demo_15'), 'id'), true), 'switched off');
        $calls = $this->blocks('#/products/#');
        self::assertSame(['/api/v1/feed/products/delete'], array_values(array_unique(array_column($calls, 'path'))));
        self::assertLessThanOrEqual(2, count($calls), 'one delete per language at most');
        $save('$p->active = 1');
        $this->within(fn (): bool => in_array('9', array_column($this->hits('demo_15'), 'id'), true), 'switched on');
    }

    public function test04ASaveWhoseRequestUploadsAPicture(): void
    {
        $picture = (string) tempnam(sys_get_temp_dir(), 'findwell-picture');
        $save = static function (string $code) use ($picture): int {
            file_put_contents($picture, 'GIF89a');
            [, [$isMoved, $id]] = self::$shop->web("\$isMoved = move_uploaded_file(\$_FILES['picture']['tmp_name'], '$picture.moved');
                $code return [\$isMoved, (int) \$object->id];", $picture);
            self::assertTrue($isMoved);

            return $id;
        };
        $changePrice = '$object = new Product(9, false, null, 1); $object->price = %s * $object->price; $object->setFieldsToUpdate(null); $object->save();';
        $price = fn (): float => (float) ($this->hits('demo_15')[0]['price'] ?? 0);
        $before = $price();
        $save(sprintf($changePrice, '2'));
        $brand = 0;
        try {
            $this->within(fn (): bool => abs($price() - 2 * $before) < 0.02, 'twice the price');
            $brand = $save('$object = new Manufacturer(); $object->name = "Uploadwsx"; $object->active = 1; $object->add();');
            $this->within(fn (): bool => $this->hits('uploadwsx', 'en', 'brands') !== [], 'the new brand');
            self::assertSame('0', self::$shop->value('SELECT COUNT(*) FROM {prefix}findwell_queue'));
        } finally {
            self::$shop->php(sprintf($changePrice, '0.5') . " return (new Manufacturer($brand))->delete();");
            array_map('unlink', glob("$picture*") ?: []);
        }
    }

    public function test05SeveralAreDeletedAtOnce(): void
    {
        $before = self::documents();
        $ids = self::$shop->php('$ids = []; foreach (["Wsxqaz one", "Wsxqaz two", "Wsxqaz three"] as $name) {
            $p = new Product(); foreach ([1, 2] as $l) { $p->name[$l] = $name; $p->link_rewrite[$l] = "w"; }
            $p->price = 5; $p->id_category_default = 2; $p->active = 1; $p->add(); $p->addToCategories([2, 3]); $ids[] = (int) $p->id; } return $ids;');
        $this->within(fn (): bool => count($this->hits('wsxqaz')) === 3, 'three new products');
        self::assertSame($before + 6, self::documents());
        self::$shop->php('return (new Product())->deleteSelection(' . var_export($ids, true) . ');');
        $this->within(fn (): bool => $this->hits('wsxqaz') === [], 'deleted together');
        self::assertSame($before, self::documents());
    }

    public function test06AValueOfAnAttributeIsRenamed(): void
    {
        $labels = function (): array {
            $labels = [];
            foreach ($this->search(['q' => 'shirt'])['facets'] as $facet) {
                if (str_starts_with($facet['field'], 'attributes.')) {
                    array_push($labels, ...array_column($facet['values'], 'label'));
                }
            }

            return $labels;
        };
        self::assertContains('White', $labels());
        $rename = static fn (string $name): mixed => self::$shop->php("\$a = new ProductAttribute(8); \$a->name[1] = '$name'; return \$a->save();");
        try {
            $rename('Snowfall');
            self::cronUntilDone();
            $this->within(fn (): bool => in_array('Snowfall', $labels(), true) && !in_array('White', $labels(), true), 'the facet after the pass that it made due');
        } finally {
            $rename('White');
            self::cronUntilDone();
        }
        self::assertContains('White', $labels());
    }

    /** The platform looks at whole minutes: the price counts from the next one, and during the one in which it ends. */
    public function test07APriceThatBeginsAndEnds(): void
    {
        $price = fn (): float => (float) $this->hits('demo_11')[0]['price'];
        [$before, $begin] = [$price(), 60 * (intdiv(time(), 60) + 1)];
        $id = self::$shop->php("\$s = new SpecificPrice(); \$s->id_product = 6; \$s->id_shop = 0; \$s->id_currency = 0; \$s->id_country = 0; \$s->id_group = 0; \$s->id_customer = 0;
            \$s->price = -1; \$s->from_quantity = 1; \$s->reduction = 0.5; \$s->reduction_type = 'percentage'; \$s->reduction_tax = 1;
            \$s->from = date('Y-m-d H:i:s', $begin); \$s->to = date('Y-m-d H:i:s', $begin + 20); \$s->add(); return (int) \$s->id;");
        try {
            self::assertSame($before, $price());
            foreach ([[$begin + 1, $before / 2, 'begun'], [$begin + 30, $before / 2, 'in its last minute'], [$begin + 61, $before, 'ended']] as [$time, $expected, $what]) {
                sleep(max(0, $time - time()));
                self::$shop->cron();
                $this->within(fn (): bool => abs($price() - $expected) < 0.011, $what);
            }
        } finally {
            self::$shop->php("return (new SpecificPrice($id))->delete();");
        }
    }

    public function test07ARuleIsChanged(): void
    {
        $price = fn (): float => (float) $this->hits('demo_11')[0]['price'];
        $before = $price();
        $rule = self::halfPriceRule();
        try {
            $this->within(fn (): bool => abs($price() - $before / 2) < 0.011, 'half price');
            self::$shop->php("\$r = new SpecificPriceRule($rule); \$r->reduction = 25; \$r->update(); \$r->deleteConditions();
                \$r->addConditions([['type' => 'category', 'value' => (new Product(6))->id_category_default]]); \$r->apply([6]); return \$r->save();");
            $this->within(fn (): bool => abs($price() - 0.75 * $before) < 0.011, 'three quarters');
        } finally {
            self::$shop->php("return (new SpecificPriceRule($rule))->delete();");
        }
        $this->within(fn (): bool => $price() === $before, 'full price');
    }

    public function test07EachGroupSortsByItsPrices(): void
    {
        $id = self::$shop->php('$s = new SpecificPrice(); $s->id_product = 6; $s->id_shop = 0; $s->id_currency = 0; $s->id_country = 0; $s->id_group = 3; $s->id_customer = 0;
            $s->price = 999; $s->from_quantity = 1; $s->reduction = 0; $s->reduction_type = "amount"; $s->reduction_tax = 1;
            $s->from = "0000-00-00 00:00:00"; $s->to = "0000-00-00 00:00:00"; $s->add(); return (int) $s->id;');
        self::$shop->form('save', self::CHOICES + ['tiers' => [3]]);
        self::cronUntilDone();
        $secret = (string) self::$shop->setting('context_secret');
        $last = fn (?string $visitor): string => (string) array_column($this->search(array_filter(['q' => 'mug', 'sort' => 'price_asc', 'visitor' => $visitor]))['products']['hits'], 'id')[4];
        self::assertNotSame('6', $last(null));
        self::assertSame('6', $last(VisitorToken::sign($secret, [3], 3, null, null, time())), 'dearest for this group alone');
        self::$shop->php("return (new SpecificPrice($id))->delete();");
        self::$shop->form('save', self::CHOICES);
        self::cronUntilDone();
    }

    public function test19AnOrderIsPaidAndRefunded(): void
    {
        $mail = self::$shop->php('$m = Configuration::get("PS_MAIL_METHOD"); Configuration::updateValue("PS_MAIL_METHOD", 3); return (int) $m;');
        $state = static fn (string $name): mixed => self::$shop->php("Context::getContext()->currency = Currency::getDefaultCurrency(); \$h = new OrderHistory(); \$h->id_order = 2; \$h->id_employee = 1;
            \$h->changeIdOrderState((int) Configuration::get('$name'), 2, true); \$h->add(); return (int) (new Order(2))->valid;");
        $first = fn (): string => (string) $this->search(['q' => '', 'sort' => 'sales'])['products']['hits'][0]['id'];
        try {
            self::$shop->sql('UPDATE {prefix}orders SET valid = 0');
            self::due();
            self::cronUntilDone();
            self::$service->calls();
            self::assertSame(1, $state('PS_OS_PAYMENT'));
            self::$shop->cron();
            $sent = array_merge(...array_map(static fn (array $call): array => $call['body']['documents'], $this->blocks('#products/bulk$#')));
            self::assertSame([4 => 2, 8 => 1], array_column(array_filter($sent, static fn (array $one): bool => isset($one['sales_count'])), 'sales_count', 'id'));
            $this->within(fn (): bool => $first() === '4', 'most sold');
            self::assertSame(0, $state('PS_OS_REFUND'));
            self::$service->calls();
            self::$shop->cron();
            self::due();
            self::cronUntilDone();
            self::assertSame(['4', '4', '8', '8'], self::sorted(array_merge(...array_map(static fn (array $call): array => array_column($call['body']['documents'], 'id'), $this->blocks('#products/bulk$#')))));
        } finally {
            self::$shop->php("return Configuration::updateValue('PS_MAIL_METHOD', $mail);");
        }
    }

    /** @param list<string> $ids */
    private static function sorted(array $ids): array
    {
        sort($ids);

        return $ids;
    }

    public function test21Reset(): void
    {
        $key = (string) self::$shop->setting('public_key');
        self::$shop->console('prestashop:module reset findwell');
        self::assertNull(self::$shop->setting('key'), 'settings go');
        self::assertSame([], self::$shop->php("return Findwell\\Platform\\HookList::missing(Module::getInstanceByName('findwell'), 1);"));
        self::assertStringNotContainsString('loader.js', self::$shop->request('/en/')[2]);
        self::assertNotSame([], self::$service->search($key, ['q' => 'demo_1', 'lang' => 'en', 'types' => ['products']])['products']['hits'], 'documents stay');
    }
}
