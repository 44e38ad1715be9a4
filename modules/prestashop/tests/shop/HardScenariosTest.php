<?php

/**
 * Findwell: scenarios with a second shop, another store, a plan, and removal; the number is that of the scenario.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop;

use Findwell\Core\Web\VisitorToken;
use Findwell\Tests\shop\support\ScenarioCase;

final class HardScenariosTest extends ScenarioCase
{
    public function test05ARenamedCategoryIsFoundInItsProducts(): void
    {
        $rename = fn (string $name): mixed => self::$shop->php("\$c = new Category(4); foreach ([1, 2] as \$l) { \$c->name[\$l] = '$name'; } return \$c->save();");
        $name = (string) self::$shop->value('SELECT name FROM {prefix}category_lang WHERE id_category = 4 AND id_lang = 1 AND id_shop = 1');
        $rename('Qwertasd');
        $this->within(fn (): bool => $this->hits('qwertasd', 'en', 'categories') !== [], 'the category at once');
        self::cronUntilDone();
        $this->within(fn (): bool => $this->hits('qwertasd') !== [], 'its products after the pass that it made due');
        $rename($name);
        self::cronUntilDone();
        $this->within(fn (): bool => $this->hits('qwertasd') === [], 'named as before');
    }

    public function test06DefaultVariantAndNoneAtAll(): void
    {
        $id = self::$shop->php('$p = new Product(); foreach ([1, 2] as $l) { $p->name[$l] = "Poiuyt"; $p->link_rewrite[$l] = "p"; }
            $p->price = 10; $p->id_category_default = 2; $p->active = 1; $p->id_tax_rules_group = 0; $p->add(); $p->addToCategories([2, 3]);
            foreach ([1 => [1, 8, "0V1"], 4 => [2, 8, "0V2"]] as $price => [$size, $colour, $code]) {
                $v = $p->addAttribute($price, 0, 0, 0, [], $code, "", false); (new Combination($v))->setAttributes([$size, $colour]); }
            $p->deleteDefaultAttributes(); $p->setDefaultAttribute((int) Db::getInstance()->getValue("SELECT id_product_attribute FROM " . _DB_PREFIX_ . "product_attribute WHERE reference = \'0V1\' AND id_product = " . (int) $p->id));
            $p->save(); return (int) $p->id;');
        $price = fn (): float => round((float) ($this->hits('poiuyt')[0]['price'] ?? 0), 2);
        $this->within(fn (): bool => $price() === 11.0, 'price of the default variant');
        self::$shop->php("\$p = new Product($id, false, null, 1); \$p->deleteDefaultAttributes();
            \$p->setDefaultAttribute((int) Db::getInstance()->getValue('SELECT id_product_attribute FROM ' . _DB_PREFIX_ . \"product_attribute WHERE reference = '0V2' AND id_product = $id\")); \$p->save(); return 1;");
        $this->within(fn (): bool => $price() === 14.0, 'price of the new default variant');
        self::$shop->php("\$p = new Product($id, false, null, 1); \$p->deleteProductAttributes(); \$p->save(); return 1;");
        $this->within(fn (): bool => $price() === 10.0, 'price without variants');
        self::assertSame([], array_filter($this->hits('0V2'), static fn (array $hit): bool => $hit['id'] === (string) $id));
        self::$shop->php("(new Product($id))->delete(); return 1;");
    }

    public function test07ADeletedRuleIsSentWithoutCron(): void
    {
        $price = fn (): float => (float) $this->hits('demo_11')[0]['price'];
        $before = $price();
        $rule = self::halfPriceRule();
        $this->within(fn (): bool => abs($price() - $before / 2) < 0.011, 'half price');
        self::$shop->php("(new SpecificPriceRule($rule))->delete(); return 1;");
        $this->within(fn (): bool => $price() === $before, 'full price, without a call of cron');
    }

    public function test07PricesOfGroupAndCountry(): void
    {
        $base = (float) $this->hits('demo_11')[0]['price'];
        $country = (int) self::$shop->php('$c = new Country(Country::getByIso("FR")); $c->active = 1; $c->save(); return (int) $c->id;');
        $add = fn (int $group, int $of, float $reduction): int => (int) self::$shop->php("\$s = new SpecificPrice(); \$s->id_product = 6; \$s->id_shop = 0;
            \$s->id_currency = 0; \$s->id_country = $of; \$s->id_group = $group; \$s->id_customer = 0; \$s->price = -1; \$s->from_quantity = 1; \$s->reduction = $reduction;
            \$s->reduction_type = 'percentage'; \$s->reduction_tax = 1; \$s->from = '0000-00-00 00:00:00'; \$s->to = '0000-00-00 00:00:00'; \$s->add(); return (int) \$s->id;");
        $ids = [$add(3, 0, 0.3), $add(0, $country, 0.5)];
        self::$shop->form('save', ['types' => ['products', 'categories', 'pages', 'brands'], 'on_change' => '1', 'hours' => '24', 'box' => 'field',
            'tiers' => [3], 'countries' => [$country]]);
        self::cronUntilDone();
        $secret = (string) self::$shop->setting('context_secret');
        $token = static fn (?int $tier, ?string $iso): string => VisitorToken::sign($secret, [$tier ?? 1], $tier, $iso, null, time());
        $of = fn (?int $tier, ?string $iso): float => (float) $this->hits('demo_11', 'en', 'products', ['visitor' => $token($tier, $iso)])[0]['price'];
        self::assertEqualsWithDelta([$base, 0.7 * $base, 0.5 * $base], [$of(null, null), $of(3, null), $of(null, 'fr')], 0.02);
        foreach ($ids as $id) {
            self::$shop->php("(new SpecificPrice($id))->delete(); return 1;");
        }
        $this->within(fn (): bool => abs($of(3, null) - $base) < 0.02, 'the price of the group is gone');
        self::$shop->form('save', ['types' => ['products', 'categories', 'pages', 'brands'], 'on_change' => '1', 'hours' => '24', 'box' => 'field']);
        self::cronUntilDone();
    }

    public function test09AGroupWithoutPrices(): void
    {
        self::$shop->php('$g = new Group(1); $g->show_prices = 0; $g->save(); return 1;');
        self::cronUntilDone();
        $this->within(fn (): bool => !isset($this->hits('demo_11')[0]['price']), 'prices that visitors may not see');
        self::$shop->php('$g = new Group(1); $g->show_prices = 1; $g->save(); return 1;');
        self::cronUntilDone();
        $this->within(fn (): bool => isset($this->hits('demo_11')[0]['price']), 'prices are shown again');
    }

    public function test13And08AnotherStoreWithASmallPlan(): void
    {
        $former = (string) self::$shop->setting('store_id');
        $dollar = (int) self::$shop->php('$usd = Currency::getIdByIsoCode("USD"); if (!$usd) { $c = new Currency(); $c->iso_code = "USD"; $c->conversion_rate = 1.1;
            $c->precision = 2; $c->active = 1; $c->name = "Dollar"; $c->symbol = "$"; $c->add(); $usd = $c->id; } return (int) $usd;');
        $store = self::$service->store(['maxCurrencies' => 1, 'maxPriceTiers' => 1]);
        self::$shop->form('connect', ['address' => self::$service->address, 'key' => $store['connectorKey']]);
        self::assertNotSame($former, self::$shop->setting('store_id'));
        self::assertSame('0', self::$shop->value('SELECT COUNT(*) FROM {prefix}findwell_state'), 'states of the former store');
        self::$shop->form('save', ['types' => ['products', 'categories', 'pages', 'brands'], 'on_change' => '1', 'hours' => '24', 'box' => 'field',
            'currencies' => [$dollar], 'tiers' => [3]]);
        $report = self::cronUntilDone();
        self::assertSame('done', $report['status'], json_encode($report));
        $notes = ['currencies: plan allows 1, 2 configured', 'price tiers: plan allows 1, 2 configured'];
        self::assertSame($notes, $report['warnings']);
        self::assertGreaterThan(0, $report['results']['products']['sent']);
        self::assertArrayHasKey('price', $this->hits('demo_1')[0]);
        self::assertTrue(str_contains(self::$shop->form('none'), $notes[0]));
        $free = self::$service->store();
        self::$shop->form('connect', ['address' => self::$service->address, 'key' => $free['connectorKey']]);
        self::$shop->form('save', ['types' => ['products', 'categories', 'pages', 'brands'], 'on_change' => '1', 'hours' => '24', 'box' => 'field']);
        self::cronUntilDone();
    }

    public function test10SecondShop(): void
    {
        $second = self::$shop->php('Configuration::updateGlobalValue("PS_MULTISHOP_FEATURE_ACTIVE", 1);
            $s = new Shop(); $s->id_shop_group = 1; $s->name = "Second"; $s->color = ""; $s->id_category = 2; $s->theme_name = (new Shop(1))->theme_name; $s->active = 1; $s->add();
            $u = new ShopUrl(); $first = (new ShopUrl((int) Db::getInstance()->getValue("SELECT id_shop_url FROM " . _DB_PREFIX_ . "shop_url WHERE id_shop = 1")));
            $u->id_shop = $s->id; $u->domain = $first->domain; $u->domain_ssl = $first->domain_ssl; $u->physical_uri = $first->physical_uri; $u->virtual_uri = "second/"; $u->main = 1; $u->active = 1; $u->add();
            // What the form of the administration sends.
            $_POST["categoryBox"] = [2, 3];
            $s->copyShopData(1, array_diff_key(array_fill_keys(array_keys(Shop::getAssoTables()), true), ["hook_module" => 1]));
            $s->copyShopData(1, ["module" => true, "module_group" => true]);
            return (int) $s->id;');
        try {
            $this->secondShop((int) $second);
        } finally {
            self::$shop->php("\$s = new Shop($second); Configuration::updateGlobalValue('PS_MULTISHOP_FEATURE_ACTIVE', 0); return \$s->delete();");
            self::$shop->sql("DELETE FROM {prefix}shop_url WHERE id_shop = $second");
            self::$shop->sql("DELETE FROM {prefix}findwell_setting WHERE id_shop = $second");
        }
    }

    private function secondShop(int $second): void
    {
        self::$shop->sql("DELETE FROM {prefix}hook_module WHERE id_shop = $second AND id_module = (SELECT id_module FROM {prefix}module WHERE name = 'findwell')");
        self::assertNotSame([], self::$shop->php("return Findwell\\Platform\\HookList::missing(Module::getInstanceByName('findwell'), $second);"));
        $store = self::$service->store();
        self::$shop->php("Findwell\\Platform\\Boot::prepareShop($second); \$a = new Findwell\\Platform\\SettingsActions(Module::getInstanceByName('findwell'), $second);
            \$a->run('connect', ['address' => '" . self::$service->address . "', 'key' => '$store[connectorKey]']); return [\$a->errors, \$a->steps];");
        $setting = fn (string $name): mixed => json_decode((string) self::$shop->value("SELECT value FROM {prefix}findwell_setting WHERE id_shop = $second AND name = '$name'"), true);
        self::assertNotSame(self::$shop->setting('public_key'), $setting('public_key'));
        self::assertNotSame(self::$shop->setting('instance_id'), $setting('instance_id'));
        $cron = fn (): array => json_decode(self::$shop->request('/second/en/module/findwell/cron?what=sync&token=' . $setting('cron_token'))[2], true) ?? [];
        for ($i = 0; $i < 10 && ($report['status'] ?? '') !== 'done'; ++$i) {
            $report = $cron();
        }
        self::assertSame('done', $report['status'], json_encode($report));
        self::assertSame([], self::$shop->php("return Findwell\\Platform\\HookList::missing(Module::getInstanceByName('findwell'), $second);"), 'registered by its first slice');
        self::assertSame(403, self::$shop->request('/second/en/module/findwell/cron?token=' . self::$shop->setting('cron_token'))[0], 'the token of the other shop');
        self::cronUntilDone();
        $in = fn (string $key, string $query): array => self::$service->search($key, ['q' => $query, 'lang' => 'en', 'types' => ['products']])['products']['hits'];
        [$one, $two] = [(string) self::$shop->setting('public_key'), (string) $setting('public_key')];
        $before = $in($one, 'demo_11')[0]['price'];
        self::$shop->php("Shop::setContext(Shop::CONTEXT_SHOP, $second); \$p = new Product(6, false, null, $second); \$p->price = 500; \$p->setFieldsToUpdate(null); return \$p->save();");
        $this->within(fn (): bool => ($in($two, 'demo_11')[0]['price'] ?? 0) > 400, 'the price of the second shop');
        self::assertSame($before, $in($one, 'demo_11')[0]['price'], 'that of the first');
        self::$shop->php('Shop::setContext(Shop::CONTEXT_ALL); $p = new Product(6, false, null, 1); $p->name = [1 => "Zxcvbn one", 2 => "Zxcvbn one"]; return $p->save();');
        $this->within(fn (): bool => $in($one, 'zxcvbn') !== [] && $in($two, 'zxcvbn') !== [], 'a save in all shops');
        self::$shop->php("\$p = new Product(6, false, null, $second); \$p->id_shop_list = [$second]; Shop::setContext(Shop::CONTEXT_SHOP, $second); return \$p->delete();");
        $this->within(fn (): bool => $in($two, 'zxcvbn') === [], 'removed from the second shop');
        self::assertNotSame([], $in($one, 'zxcvbn'), 'and from that alone');
        self::$shop->php('Shop::setContext(Shop::CONTEXT_SHOP, 1); $p = new Product(6, false, null, 1); $p->name = [1 => "Mug The best is yet to come", 2 => "Mug The best is yet to come"]; return $p->save();');
        $page = self::$shop->request('/second/en/')[2];
        self::assertTrue(str_contains($page, 'data-key="' . $two . '"'));
        self::assertFalse(str_contains($page, $one));
    }

    public function test21DisableThenUninstall(): void
    {
        $key = (string) self::$shop->setting('public_key');
        $token = self::$shop->setting('cron_token');
        self::$shop->console('prestashop:module disable findwell');
        self::assertSame(404, self::$shop->request("/en/module/findwell/cron?token=$token")[0]);
        self::assertStringNotContainsString('loader.js', self::$shop->request('/en/')[2]);
        self::$shop->console('prestashop:module enable findwell');
        self::assertSame(200, self::$shop->request("/en/module/findwell/cron?token=$token")[0]);
        self::due();
        self::$service->rules(['#/close$#' => 503]);
        self::$shop->cron();
        self::$service->rules([]);
        self::$service->calls();
        self::$shop->console('prestashop:module uninstall findwell');
        self::assertNotSame([], self::$service->calls('#/abort$#'), 'the open run was aborted');
        self::assertNotSame([], self::$service->search($key, ['q' => 'demo_1', 'lang' => 'en', 'types' => ['products']])['products']['hits'], 'documents stay');
        self::$shop->console('prestashop:module install findwell');
        self::assertNull(self::$shop->setting('key'), 'nothing of the former installation');
    }
}
