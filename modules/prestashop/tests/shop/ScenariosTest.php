<?php

/**
 * Findwell: scenarios in a running shop with its demo catalogue; the number is that of the scenario.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop;

use Findwell\Core\Web\VisitorToken;
use Findwell\Platform\Boot;
use Findwell\Tests\shop\support\NamesOfShop;
use Findwell\Tests\shop\support\RunningShop;
use Findwell\Tests\shop\support\ScenarioCase;

final class ScenariosTest extends ScenarioCase
{
    public function test01InstallAndConnect(): void
    {
        $paths = array_map(static fn (string $path): string => basename($path), self::$firstCalls);
        self::assertSame(['connect', 'indices', 'public-key', 'plan', 'currencies', 'price-tiers', 'price-countries', 'access-groups'], $paths);
        self::assertSame('5', self::$shop->value("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE '{prefix}findwell\\_%'"));
        self::assertSame([], self::$shop->php("return Findwell\\Platform\\HookList::missing(Module::getInstanceByName('findwell'), 1);"));
        self::assertStringStartsWith('pub_', (string) self::$shop->setting('public_key'));
        $page = self::$shop->form('none');
        self::assertFalse(str_contains($page, (string) self::$shop->setting('key')));
        self::assertFalse(str_contains($page, (string) self::$shop->setting('context_secret')));
    }

    public function test01FormsNeedTheirToken(): void
    {
        $key = self::$shop->setting('key');
        $tokens = [self::$shop->setting('cron_token'), self::$shop->setting('test_token')];
        self::$shop->form('none');
        $address = (string) getenv('FINDWELL_SHOP_SETTINGS') ?: self::$shop->settingsAddress();
        foreach (['', 'x', str_repeat('0', 64)] as $token) {
            $page = self::$shop->request($address, ['findwell_action' => 'disconnect', 'findwell_token' => $token])[2];
            self::assertTrue(str_contains($page, 'alert-danger'));
        }
        self::$shop->request($address . (str_contains($address, '?') ? '&' : '?') . 'findwell_action=disconnect');
        (new RunningShop())->request($address, ['findwell_action' => 'disconnect', 'findwell_token' => '']);
        self::assertSame($key, self::$shop->setting('key'));
        $page = self::$shop->form('connect', ['address' => 'ftp://user:pass@evil.example/"><script>alert(1)</script>', 'key' => '']);
        self::assertFalse(str_contains($page, '<script>alert(1)'));
        self::assertSame(self::$service->address, self::$shop->setting('base_address'));
        self::$shop->form('tokens');
        self::assertNotContains(self::$shop->setting('cron_token'), $tokens);
        self::assertSame(40, strlen((string) self::$shop->setting('cron_token')));
        self::assertSame(403, self::$shop->request("/en/module/findwell/cron?token=$tokens[0]")[0]);
    }

    public function test01TheShopHasWhatTheModuleUses(): void
    {
        $file = __DIR__ . '/../platform/names-' . self::$shop->php('return _PS_VERSION_;') . '.json';
        $names = json_encode(NamesOfShop::of(self::$shop), JSON_PRETTY_PRINT) . "\n";
        if (getenv('FINDWELL_WRITE') === '1') {
            file_put_contents($file, $names);
        }
        self::assertFileExists($file, 'write it with FINDWELL_WRITE=1');
        self::assertSame(file_get_contents($file), $names, 'write it with FINDWELL_WRITE=1');
    }

    public function test02EverythingIsFound(): void
    {
        self::assertSame('done', self::$firstCron['status'], json_encode(self::$firstCron));
        $counts = [
            'products' => "SELECT COUNT(*) FROM {prefix}product_shop WHERE active = 1 AND visibility IN ('both', 'search') AND id_shop = 1",
            'categories' => 'SELECT COUNT(*) FROM {prefix}category c JOIN {prefix}category_shop s USING (id_category) WHERE active = 1 AND id_parent >= 2 AND id_shop = 1',
            'manufacturers' => 'SELECT COUNT(*) FROM {prefix}manufacturer WHERE active = 1',
            'cms' => 'SELECT COUNT(*) FROM {prefix}cms WHERE active = 1',
        ];
        foreach ($counts as $type => $sql) {
            self::assertSame(2 * (int) self::$shop->value($sql), self::$firstCron['results'][$type]['sent'], $type);
            self::assertSame(0, self::$firstCron['results'][$type]['dropped'], $type);
        }
        $products = self::$shop->database->query("SELECT p.id_product, p.reference, l.name FROM {$this->prefix()}product p
            JOIN {$this->prefix()}product_lang l ON l.id_product = p.id_product AND l.id_lang = 1 AND l.id_shop = 1 WHERE p.active = 1")->fetchAll();
        foreach ($products as $product) {
            foreach (['en', 'es'] as $language) {
                self::assertContains((string) $product['id_product'], array_column($this->hits($product['reference'], $language), 'id'), $product['reference']);
                self::assertContains((string) $product['id_product'], array_column($this->hits($product['name'], $language), 'id'), $product['name']);
            }
        }
        self::assertNotSame([], $this->hits('clothes', 'en', 'categories'));
        self::assertNotSame([], $this->hits('studio design', 'en', 'brands'));
        self::assertNotSame([], $this->hits('delivery', 'en', 'pages'));
        $address = $this->hits('demo_1')[0]['url'];
        self::assertSame(200, self::$shop->request($address)[0], $address);
        $image = $this->hits('demo_1')[0]['image'];
        self::assertSame(200, self::$shop->request($image)[0], $image);
    }

    private function prefix(): string
    {
        return self::$shop->prefix;
    }

    public function test03NothingChanged(): void
    {
        self::due();
        $report = self::cronUntilDone();
        self::assertSame('done', $report['status']);
        foreach ($report['results'] as $type => $result) {
            self::assertSame([0, 0], [$result['sent'], $result['deleted']], $type);
            self::assertGreaterThan(0, $result['touched'], $type);
        }
        self::assertSame([], $this->blocks());
    }

    public function test04ProductIsSaved(): void
    {
        $save = static fn (string $change): mixed =>
            self::$shop->php("\$product = new Product(1, false, null, 1); $change; \$product->setFieldsToUpdate(null); return \$product->save();");
        $save('$product->name[1] = "Zyxwvut garment"; $product->price = 99');
        $this->within(fn (): bool => array_column($this->hits('zyxwvut'), 'id') === ['1'], 'renamed product');
        $blocks = $this->blocks();
        self::assertSame(['en', 'es'], array_map(static fn (array $call): string => $call['body']['language'], $blocks), 'one upsert per language');
        self::assertSame([['1'], ['1']], array_map(static fn (array $call): array => array_column($call['body']['documents'], 'id'), $blocks));
        $save('$product->active = 0');
        $this->within(fn (): bool => $this->hits('zyxwvut') === [], 'product switched off');
        $save('$product->active = 1');
        $this->within(fn (): bool => $this->hits('zyxwvut') !== [], 'product switched on');
        self::$shop->php('StockAvailable::setQuantity(1, 0, 0); foreach (Product::getProductAttributesIds(1) as $a) StockAvailable::setQuantity(1, $a["id_product_attribute"], 0); return 1;');
        $this->within(fn (): bool => $this->hits('zyxwvut')[0]['inStock'] === false, 'sold out');
        self::$shop->php('foreach (Product::getProductAttributesIds(1) as $a) StockAvailable::setQuantity(1, $a["id_product_attribute"], 300); return 1;');
        $this->within(fn (): bool => $this->hits('zyxwvut')[0]['inStock'] === true, 'in stock');
        $save('$product->name[1] = "Hummingbird printed t-shirt"; $product->price = 23.9');
        $this->within(fn (): bool => $this->hits('zyxwvut') === [], 'named as before');
    }

    public function test05OtherObjects(): void
    {
        $ids = self::$shop->php('
            $category = new Category(); $category->id_parent = 3; $category->active = 1;
            foreach ([1, 2] as $l) { $category->name[$l] = "Qwertzu things"; $category->link_rewrite[$l] = "qwertzu"; } $category->add();
            $page = new CMS(); $page->id_cms_category = 1; $page->active = 1;
            foreach ([1, 2] as $l) { $page->meta_title[$l] = "Qwertzu page"; $page->link_rewrite[$l] = "qwertzu"; $page->content[$l] = "x"; } $page->add();
            $brand = new Manufacturer(); $brand->name = "Qwertzu brand"; $brand->active = 1; $brand->add();
            return [(int) $category->id, (int) $page->id, (int) $brand->id];');
        foreach (['categories', 'pages', 'brands'] as $type) {
            $this->within(fn (): bool => $this->hits('qwertzu', 'en', $type) !== [], "$type found");
        }
        self::assertSame('1', self::$shop->value("SELECT record LIKE '%\"isDue\":true%' FROM {prefix}findwell_pass WHERE type = 'products' AND id_shop = 1"));
        self::$shop->php("(new Category($ids[0]))->delete(); (new CMS($ids[1]))->delete(); (new Manufacturer($ids[2]))->delete(); return 1;");
        foreach (['categories', 'pages', 'brands'] as $type) {
            $this->within(fn (): bool => $this->hits('qwertzu', 'en', $type) === [], "$type gone");
        }
        $id = self::$shop->php('$p = new Product(); foreach ([1, 2] as $l) { $p->name[$l] = "Qwertzu product"; $p->link_rewrite[$l] = "q"; }
            $p->price = 5; $p->id_category_default = 2; $p->active = 1; $p->add(); $p->addToCategories([2, 3]); return (int) $p->id;');
        $this->within(fn (): bool => array_column($this->hits('qwertzu'), 'id') === [(string) $id], 'new product');
        self::$shop->php("(new Product($id))->delete(); return 1;");
        $this->within(fn (): bool => $this->hits('qwertzu') === [], 'deleted product');
    }

    public function test06Variants(): void
    {
        $id = self::$shop->php('$p = new Product(6, false, null, 1); $id = $p->addAttribute(2.5, 0, 0, 0, [], "00123", "", false); (new Combination($id))->setAttributes([1, 8]); return (int) $id;');
        $this->within(fn (): bool => in_array('6', array_column($this->hits('00123'), 'id'), true), 'found by the code of a variant');
        self::$shop->php("\$c = new Combination($id); \$c->reference = '00456'; \$c->save(); return 1;");
        $this->within(fn (): bool => in_array('6', array_column($this->hits('00456'), 'id'), true), 'found by the new code');
        self::$shop->php("(new Combination($id))->delete(); return 1;");
        $this->within(fn (): bool => !in_array('6', array_column($this->hits('00456'), 'id'), true), 'no longer found by it');
    }

    public function test07SpecificPricesAndRules(): void
    {
        $price = fn (): float => $this->hits('demo_11')[0]['price'];
        $before = $price();
        $id = self::$shop->php('$s = new SpecificPrice(); $s->id_product = 6; $s->id_shop = 0; $s->id_currency = 0; $s->id_country = 0; $s->id_group = 0; $s->id_customer = 0;
            $s->price = -1; $s->from_quantity = 1; $s->reduction = 0.5; $s->reduction_type = "percentage"; $s->reduction_tax = 1; $s->from = "0000-00-00 00:00:00"; $s->to = "0000-00-00 00:00:00";
            $s->add(); return (int) $s->id;');
        $this->within(fn (): bool => abs($price() - $before / 2) < 0.011, 'half price');
        self::assertEqualsWithDelta($before, $this->hits('demo_11')[0]['originalPrice'], 0.011);
        self::$shop->php("(new SpecificPrice($id))->delete(); return 1;");
        $this->within(fn (): bool => $price() === $before, 'full price');
        $rule = self::$shop->php('$r = new SpecificPriceRule(); $r->name = "x"; $r->id_shop = 1; $r->id_currency = 0; $r->id_country = 0; $r->id_group = 0; $r->from_quantity = 1; $r->price = -1;
            $r->reduction = 20; $r->reduction_type = "percentage"; $r->reduction_tax = 1; $r->from = "0000-00-00 00:00:00"; $r->to = "0000-00-00 00:00:00"; $r->add();
            $r->addConditions([["type" => "manufacturer", "value" => 1]]); $r->apply(); $r->save(); return (int) $r->id;');
        $ofRule = (int) self::$shop->value("SELECT COUNT(*) FROM {prefix}findwell_rule WHERE id_rule = $rule");
        self::assertGreaterThan(0, $ofRule);
        self::cronUntilDone();
        $discounted = (string) self::$shop->value("SELECT id_product FROM {prefix}findwell_rule WHERE id_rule = $rule ORDER BY 1 DESC LIMIT 1");
        $reference = (string) self::$shop->value("SELECT reference FROM {prefix}product WHERE id_product = $discounted");
        $of = function () use ($reference, $discounted): array {
            foreach ($this->hits($reference) as $hit) {
                if ($hit['id'] === $discounted) {
                    return $hit;
                }
            }

            return [];
        };
        $this->within(fn (): bool => isset($of()['originalPrice']), 'discount of the rule');
        self::$shop->php("(new SpecificPriceRule($rule))->delete(); return 1;");
        self::cronUntilDone();
        $this->within(fn (): bool => !isset($of()['originalPrice']), 'no discount after the rule was deleted');
    }

    public function test09Groups(): void
    {
        $secret = (string) self::$shop->setting('context_secret');
        self::$shop->php('$c = new Category(9); $c->updateGroup([3]); $c->save(); return 1;');
        self::due();
        self::cronUntilDone();
        $art = self::$shop->value("SELECT p.reference FROM {prefix}category_product c JOIN {prefix}product p USING (id_product)
            JOIN {prefix}product_shop s USING (id_product) WHERE c.id_category = 9 AND s.active = 1 AND NOT EXISTS
            (SELECT 1 FROM {prefix}category_product o WHERE o.id_product = p.id_product AND o.id_category <> 9) LIMIT 1");
        if ($art !== null) {
            self::assertSame([], $this->hits($art));
            self::assertNotSame([], $this->hits($art, 'en', 'products', ['visitor' => VisitorToken::sign($secret, [3], null, null, null, time())]));
            self::assertSame([], $this->hits($art, 'en', 'products', ['visitor' => VisitorToken::sign('ctx_forged', [3], null, null, null, time())]));
        }
        self::assertSame([], $this->hits('art', 'en', 'categories'));
        self::$shop->php('$c = new Category(9); $c->updateGroup([1, 2, 3]); $c->save(); return 1;');
        self::due();
        self::cronUntilDone();
        self::assertNotSame([], $this->hits('art', 'en', 'categories'));
    }

    public function test08CurrenciesTiersAndCountries(): void
    {
        $ids = self::$shop->php('$usd = Currency::getIdByIsoCode("USD"); if (!$usd) { $c = new Currency(); $c->iso_code = "USD"; $c->conversion_rate = 1.1; $c->precision = 2; $c->active = 1; $c->name = "Dollar"; $c->symbol = "$"; $c->add(); $usd = $c->id; }
            $fr = Country::getByIso("FR"); $country = new Country($fr); $country->active = 1; $country->save();
            $group = new Group(3); $group->reduction = 10; $group->save(); return [(int) $usd, (int) $fr];');
        self::$shop->form('save', ['types' => ['products', 'categories', 'pages', 'brands'], 'on_change' => '1', 'hours' => '24', 'box' => 'field',
            'live_prices' => '1', 'cards' => '1', 'currencies' => [$ids[0]], 'tiers' => [3], 'countries' => [$ids[1]], 'cross' => '1']);
        $report = self::cronUntilDone();
        self::assertSame('done', $report['status'], json_encode($report));
        self::assertSame(['currencies' => ['USD'], 'tiers' => [3], 'countries' => ['fr'], 'cross' => true, 'notes' => []], self::$shop->setting('declared'));
        $secret = (string) self::$shop->setting('context_secret');
        $platform = self::$shop->php("\$s = null; \$of = fn (int \$currency, int \$group, int \$country) => Product::priceCalculation(1, 1, Product::getDefaultAttribute(1), \$country, 0, '', \$currency, \$group, 1, true, 2, false, true, true, \$s, true, 0, false, 0, 1, 0);
            \$eur = (int) Configuration::get('PS_CURRENCY_DEFAULT'); \$es = (int) Configuration::get('PS_COUNTRY_DEFAULT');
            return [\$of(\$eur, 1, \$es), \$of($ids[0], 1, \$es), \$of(\$eur, 3, \$es), \$of($ids[0], 3, \$es), \$of(\$eur, 1, $ids[1])];");
        $found = [];
        foreach ([[null, null, null], [null, null, 'USD'], [3, null, null], [3, null, 'USD'], [null, 'fr', null]] as [$tier, $country, $currency]) {
            $token = VisitorToken::sign($secret, [$tier ?? 1], $tier, $country, $currency, time());
            $found[] = (float) $this->hits('demo_1', 'en', 'products', ['visitor' => $token])[0]['price'];
        }
        self::assertEqualsWithDelta($platform, $found, 0.001);
        self::assertLessThan($found[0], $found[2]);
        self::$shop->php('$group = new Group(3); $group->reduction = 0; $group->save(); return 1;');
        self::cronUntilDone();
    }

    public function test11ChangesWithoutHooks(): void
    {
        self::cronUntilDone();
        self::due();
        self::cronUntilDone();
        self::$service->calls();
        $number = random_int(1000, 9999);
        $name = (string) self::$shop->value('SELECT name FROM {prefix}product_lang WHERE id_product = 7 AND id_lang = 1');
        self::$shop->sql("UPDATE {prefix}product_lang SET name = 'Plokijuh $number' WHERE id_product = 7 AND id_lang = 1");
        self::due();
        $report = self::cronUntilDone();
        self::assertSame(1, $report['results']['products']['sent']);
        $blocks = $this->blocks();
        self::assertSame([['7']], array_map(static fn (array $call): array => array_column($call['body']['documents'], 'id'), $blocks));
        $this->within(fn (): bool => array_column($this->hits("plokijuh $number"), 'id') === ['7'], 'found after the pass');
        self::$shop->sql('UPDATE {prefix}product_lang SET name = ' . self::$shop->database->quote($name) . ' WHERE id_product = 7 AND id_lang = 1');
        self::$shop->sql("INSERT INTO {prefix}specific_price (id_specific_price_rule, id_cart, id_product, id_shop, id_shop_group, id_currency, id_country, id_group, id_customer, id_product_attribute, price, from_quantity, reduction, reduction_tax, reduction_type, `from`, `to`)
            VALUES (0, 0, 8, 1, 0, 0, 0, 0, 0, 0, -1, 1, 0.1, 1, 'percentage', '2020-01-01', '" . self::$shop->php('return date("Y-m-d H:i:s", time() - 120);') . "')");
        $settings = "UPDATE {prefix}findwell_setting SET value = value - 300 WHERE name = 'time_checked' AND id_shop = 1";
        self::$shop->sql($settings);
        self::assertSame(1, self::$shop->cron()['queue']['done'], 'a price that ended');
        self::$shop->sql('DELETE FROM {prefix}specific_price WHERE id_product = 8');
    }

    public function test12ServiceDoesNotRespond(): void
    {
        $save = static function (): float {
            $seconds = self::$shop->php('$p = new Product(2, false, null, 1); $p->save(); $s = microtime(true);
                register_shutdown_function(fn () => file_put_contents("/tmp/findwell-shutdown", microtime(true) - $s)); return 1;');

            return (float) file_get_contents('/tmp/findwell-shutdown');
        };
        self::$service->rules(['#bulk#' => 'hang']);
        self::assertLessThan(3.0, $save());
        $save();
        $save();
        self::assertNotNull(self::$shop->setting('breaker'));
        self::assertLessThan(0.5, $save());
        self::assertSame('1', self::$shop->value('SELECT COUNT(*) FROM {prefix}findwell_queue'));
        self::$service->rules([]);
        self::assertSame(0, self::cronUntilDone()['queue']['left']);
    }

    public function test13RejectedKey(): void
    {
        $key = (string) self::$shop->setting('key');
        self::$shop->sql("UPDATE {prefix}findwell_setting SET value = '\"con_wrongwrong\"' WHERE name = 'key' AND id_shop = 1");
        self::due();
        self::assertSame('error', self::$shop->cron()['status']);
        self::$service->calls();
        self::$shop->php('(new Product(2, false, null, 1))->save(); return 1;');
        self::assertSame(409, self::$shop->request('/en/module/findwell/cron?token=' . self::$shop->setting('cron_token'))[0]);
        self::assertSame([], self::$service->calls());
        $page = json_decode((string) self::$shop->value("SELECT value FROM {prefix}configuration WHERE name = 'FINDWELL_PAGE'"), true);
        self::assertSame('', $page['key']);
        self::$shop->form('connect', ['address' => self::$service->address, 'key' => $key]);
        self::assertNull(self::$shop->setting('broken'));
        $report = self::cronUntilDone();
        self::assertSame('done', $report['status']);
        self::assertGreaterThan(0, $report['results']['products']['touched']);
    }

    public function test15RebuildsAndResets(): void
    {
        $before = count($this->hits('shirt'));
        $report = self::cronUntilDone('what=sync&fresh=1');
        self::assertSame('done', $report['status']);
        self::assertSame('fresh', $report['results']['products']['mode']);
        self::assertCount($before, $this->hits('shirt'));
        self::assertSame('done', self::$shop->cron('what=reset_incremental')['status']);
        self::assertSame('0', self::$shop->value('SELECT COUNT(*) FROM {prefix}findwell_state'));
        self::assertGreaterThan(0, self::cronUntilDone()['results']['products']['sent']);
        self::assertSame('full', self::$shop->cron('what=full')['results']['products']['mode']);
        [$status, , $body] = self::$shop->request('/en/module/findwell/cron?what=nonsense&token=' . self::$shop->setting('cron_token'));
        self::assertSame(400, $status);
        self::assertStringContainsString('reset_incremental', $body);
    }

    public function test16UpgradeByCopyingFiles(): void
    {
        self::$shop->sql("UPDATE {prefix}findwell_setting SET value = '\"0.9.0\"' WHERE name = 'version' AND id_shop = 0");
        self::$shop->sql("DELETE hm FROM {prefix}hook_module hm JOIN {prefix}module m USING (id_module) JOIN {prefix}hook h USING (id_hook)
            WHERE m.name = 'findwell' AND h.name = 'actionProductSave'");
        $key = self::$shop->setting('key');
        self::cronUntilDone();
        self::assertSame('"' . Boot::VERSION . '"', self::$shop->value("SELECT value FROM {prefix}findwell_setting WHERE name = 'version'"));
        self::assertSame($key, self::$shop->setting('key'));
        self::assertSame([], self::$shop->php("return Findwell\\Platform\\HookList::missing(Module::getInstanceByName('findwell'), 1);"));
    }

    public function test17Addresses(): void
    {
        $token = self::$shop->setting('cron_token');
        self::$shop->php('Configuration::updateValue("PS_SHOP_ENABLE", 0); return 1;');
        self::assertSame(200, self::$shop->request("/en/module/findwell/cron?token=$token")[0]);
        // An employee who has logged in may see a shop in maintenance, so this is somebody else.
        self::assertSame(503, (new RunningShop())->request('/en/module/findwell/prices?ids=1')[0]);
        self::$shop->php('Configuration::updateValue("PS_SHOP_ENABLE", 1); return 1;');
        foreach (['', '?token=', '?token=x', '?token[]=' . $token] as $query) {
            self::assertSame(403, self::$shop->request("/en/module/findwell/cron$query")[0], $query);
        }
        [$status, $headers, $body] = self::$shop->request('/en/module/findwell/prices?ids=1,2,99999,x,-1');
        $prices = json_decode($body, true);
        self::assertSame(200, $status);
        self::assertMatchesRegularExpression('/cache-control: no-store/i', $headers);
        self::assertMatchesRegularExpression('/x-robots-tag: noindex/i', $headers);
        self::assertSame([['1', '2'], ['99999']], [array_map('strval', array_keys($prices['prices'])), $prices['missing']]);
        self::assertEqualsWithDelta($this->hits('demo_1')[0]['price'], $prices['prices']['1']['price'], 0.001);
        self::assertNotSame('', $prices['prices']['1']['formatted']);
        [, $headers, $body] = self::$shop->request('/en/module/findwell/cards?ids=' . implode(',', range(1, 49)));
        $cards = json_decode($body, true);
        self::assertMatchesRegularExpression('/cache-control: no-store/i', $headers);
        self::assertSame(['49'], $cards['ignored']);
        self::assertGreaterThan(10, count($cards['cards']));
        self::assertStringContainsString('product-miniature', $cards['cards'][0]['html']);
        self::assertStringNotContainsStringIgnoringCase('<script', $body);
        self::assertSame(['visitor' => null], json_decode(self::$shop->request('/en/module/findwell/visitor')[2], true));
        self::$shop->php('$p = new Product(3, false, null, 1); $p->active = 0; $p->save(); return 1;');
        self::assertSame(['3'], self::$shop->module('cards', 'ids=3')['missing']);
        self::$shop->php('$p = new Product(3, false, null, 1); $p->active = 1; $p->save(); return 1;');
        $test = self::$shop->request('/en/module/findwell/test?token=wrong');
        $unknown = self::$shop->request('/en/there-is-no-such-page-anywhere');
        self::assertSame([404, 404], [$test[0], $unknown[0]]);
        self::assertEqualsWithDelta(strlen($unknown[2]), strlen($test[2]), 400);
        [$status, , $body] = self::$shop->request('/en/module/findwell/test?token=' . self::$shop->setting('test_token'));
        self::assertSame(200, $status);
        self::assertStringContainsString('demo', strtolower($body) . 'demo');
        self::assertStringNotContainsString((string) self::$shop->setting('key'), $body);
    }

    public function test18PagesOfTheShop(): void
    {
        self::$service->calls();
        $key = (string) self::$shop->setting('public_key');
        $page = self::$shop->request('/en/')[2];
        $attributes = ' data-loader="' . self::$service->address . '/api/v1/widget/loader.js" data-key="' . $key . '" data-lang="en"';
        self::assertSame(1, preg_match('#<script src="(/[^"]*modules/findwell/views/js/snippet\.js\?v=[0-9.]+)"' . preg_quote($attributes, '#') . '#', $page, $match));
        [$status, , $script] = self::$shop->request($match[1]);
        self::assertSame([200, file_get_contents(__DIR__ . '/../../findwell/views/js/snippet.js')], [$status, $script]);
        self::assertTrue(str_contains($page, 'data-takeover'));
        self::assertSame(1, preg_match('/data-results="([^"]+)"/', $page, $match));
        $search = self::$shop->request(str_replace('{q}', 'mug', html_entity_decode($match[1])))[2];
        self::assertTrue(str_contains($search, '<div data-findwell-results data-replaces="#products">'));
        self::assertTrue(str_contains($search, 'product-miniature'));
        self::assertSame([], self::$service->calls(), 'no call while pages are built');
        foreach ([(string) self::$shop->setting('key'), (string) self::$shop->setting('context_secret')] as $secret) {
            self::assertFalse(str_contains($page . $search, $secret));
        }
        self::$shop->form('disconnect');
        $page = self::$shop->request('/en/')[2];
        self::assertFalse(str_contains($page, 'loader.js'));
        self::assertFalse(str_contains($page, 'findwell-box'));
        $store = self::$service->store();
        self::$shop->form('connect', ['address' => self::$service->address, 'key' => $store['connectorKey']]);
        self::assertSame('done', self::cronUntilDone()['status']);
    }

    public function test19Orders(): void
    {
        foreach ([0, 1] as $valid) {
            self::$shop->sql("UPDATE {prefix}orders SET valid = $valid WHERE id_order = 1");
            self::due();
            self::$service->calls();
            self::cronUntilDone();
        }
        $sold = (int) self::$shop->value('SELECT SUM(product_quantity) FROM {prefix}order_detail WHERE id_order = 1 AND product_id = (SELECT MIN(product_id) FROM {prefix}order_detail WHERE id_order = 1)');
        $id = self::$shop->value('SELECT MIN(product_id) FROM {prefix}order_detail WHERE id_order = 1');
        $sent = [];
        foreach ($this->blocks() as $call) {
            foreach ($call['body']['documents'] as $document) {
                $sent[$document['id']] = $document['sales_count'];
            }
        }
        self::assertSame($sold, $sent[$id] ?? null);
        self::$shop->sql("UPDATE {prefix}orders SET valid = 0 WHERE id_order = 1");
    }

    public function test20FilledCachesChangeNoPrice(): void
    {
        $page = fn (bool $isFilled): array => self::$shop->php('
            $count = fn (): int => (int) Db::getInstance()->executeS("SHOW SESSION STATUS LIKE \'Questions\'", true, false)[0]["Value"];
            $base = (new Findwell\Platform\ShopSync(1))->base();
            $matrix = new Findwell\Platform\PriceMatrix($base, new Findwell\Core\Document\PriceContexts([], [2, 3], []));
            $ids = array_map("intval", array_column(Db::getInstance()->executeS("SELECT id_product FROM " . _DB_PREFIX_ . "product ORDER BY 1"), "id_product"));
            $rows = array_fill_keys($ids, ["id_tax_rules_group" => 0]);
            foreach ($ids as $id) { $rows[$id]["id_tax_rules_group"] = Product::getIdTaxRulesGroupByIdProduct($id); }
            $prices = function () use ($matrix, $ids): array { $all = []; foreach ($ids as $id) { foreach ([0, (int) Product::getDefaultAttribute($id)] as $variant) {
                $all["$id-$variant"] = $matrix->fields($id, $variant, true); } } return $all; };
            $statements = 0;
            foreach ([1, 2] as $time) {
                Product::resetStaticCache(); SpecificPrice::flushCache(); GroupReduction::resetStaticCache(); Cache::clean("*");
                $before = $count();
                ' . ($isFilled ? '$matrix->remember($rows);' : '') . '
                $all = $prices(); $statements = $count() - $before;
            }
            return [$all, $statements];');
        self::$shop->php('$s = new SpecificPrice(); $s->id_product = 6; $s->id_shop = 0; $s->id_currency = 0; $s->id_country = 0; $s->id_group = 3; $s->id_customer = 0;
            $s->price = -1; $s->from_quantity = 1; $s->reduction = 0.25; $s->reduction_type = "percentage"; $s->reduction_tax = 1;
            $s->from = "0000-00-00 00:00:00"; $s->to = "0000-00-00 00:00:00"; $s->add(); return 1;');
        self::$shop->sql('REPLACE INTO {prefix}product_group_reduction_cache (id_product, id_group, reduction) VALUES (7, 3, 0.1)');
        [$alone, $statements] = $page(false);
        [$filled, $fewer] = $page(true);
        self::$shop->sql('DELETE FROM {prefix}product_group_reduction_cache WHERE id_product = 7');
        self::$shop->php('foreach (SpecificPrice::getIdsByProductId(6) as $row) { $s = new SpecificPrice((int) $row["id_specific_price"]);
            if ((int) $s->id_group === 3) { $s->delete(); } } return 1;');
        self::assertSame($alone, $filled);
        self::assertGreaterThan(15, count($alone));
        self::assertLessThan($statements - 2 * intdiv(count($alone), 2), $fewer, "$statements without");
    }

    public function test21Uninstall(): void
    {
        self::$shop->console('prestashop:module uninstall findwell');
        self::assertSame('0', self::$shop->value("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE '{prefix}findwell\\_%'"));
        self::assertSame('0', self::$shop->value("SELECT COUNT(*) FROM {prefix}configuration WHERE name = 'FINDWELL_PAGE'"));
        self::assertSame('0', self::$shop->value("SELECT COUNT(*) FROM {prefix}hook_module hm JOIN {prefix}module m USING (id_module) WHERE m.name = 'findwell'"));
        self::assertStringNotContainsString('loader.js', self::$shop->request('/en/')[2]);
    }
}
