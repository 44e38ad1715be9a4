<?php

/**
 * Findwell: scenarios of who sees what at which price: groups, countries, currencies, tax numbers, blocked countries.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop;

use Findwell\Core\Document\PriceContexts;
use Findwell\Core\Web\VisitorToken;
use Findwell\Tests\shop\support\RunningShop;
use Findwell\Tests\shop\support\ScenarioCase;
use Findwell\Tests\shop\support\Shopper;

final class AccessTest extends ScenarioCase
{
    private const CHOICES = ['types' => ['products', 'categories', 'pages', 'brands'], 'on_change' => '1', 'hours' => '24', 'box' => 'field',
        'live_prices' => '1', 'cards' => '1'];
    private const TAX_MODULE = <<<'PHP'
        <?php
        class FindwellTestTax extends Module
        {
            public function __construct() { $this->name = 'findwelltesttax'; $this->tab = 'others'; $this->version = '1.0.0'; $this->author = 'x'; parent::__construct(); $this->displayName = 'x'; }
            public function install() { return parent::install() && $this->registerHook('actionTaxManager'); }
            public function hookTaxManager($p) { return (string) $p['address']->vat_number === '' ? null : new FindwellTestTaxManager(); }
        }
        class FindwellTestTaxManager implements TaxManagerInterface
        {
            public static function isAvailableForThisAddress(Address $address) { return true; }
            public function getTaxCalculator() { return new TaxCalculator([]); }
        }
        PHP;

    public function test07EightContextsAndSixteenValues(): void
    {
        [$dollar, $france] = self::$shop->php('$usd = Currency::getIdByIsoCode("USD"); if (!$usd) { $c = new Currency(); $c->iso_code = "USD";
            $c->conversion_rate = 1.1; $c->precision = 2; $c->active = 1; $c->name = "Dollar"; $c->symbol = "$"; $c->add(); $usd = $c->id; }
            $c = new Country(Country::getByIso("FR")); $c->active = 1; $c->save(); $g = new Group(3); $g->reduction = 10; $g->save(); return [(int) $usd, (int) $c->id];');
        $add = fn (int $group, int $country, int $currency, float $price, float $reduction): int => (int) self::$shop->php("\$s = new SpecificPrice();
            \$s->id_product = 6; \$s->id_shop = 0; \$s->id_currency = $currency; \$s->id_country = $country; \$s->id_group = $group; \$s->id_customer = 0;
            \$s->price = $price; \$s->from_quantity = 1; \$s->reduction = $reduction; \$s->reduction_type = 'percentage'; \$s->reduction_tax = 1;
            \$s->from = '0000-00-00 00:00:00'; \$s->to = '0000-00-00 00:00:00'; \$s->add(); return (int) \$s->id;");
        $ids = [$add(3, 0, 0, -1, 0.3), $add(0, $france, 0, -1, 0.5), $add(0, 0, $dollar, 7.5, 0)];
        try {
            self::$shop->form('save', self::CHOICES + ['currencies' => [$dollar], 'tiers' => [3], 'countries' => [$france], 'cross' => '1']);
            self::$service->calls();
            self::assertSame('done', self::cronUntilDone()['status']);
            $this->sixteenValues($dollar, $france);
            $this->pricesOfAGroup($dollar);
        } finally {
            foreach ($ids as $id) {
                self::$shop->php("(new SpecificPrice($id))->delete(); return 1;");
            }
            self::$shop->php('$g = new Group(3); $g->reduction = 0; return $g->save();');
            self::$shop->form('save', self::CHOICES);
            self::cronUntilDone();
        }
    }

    private function sixteenValues(int $dollar, int $france): void
    {
        $sent = [];
        foreach ($this->blocks('#products/bulk$#') as $call) {
            foreach ($call['body']['documents'] as $document) {
                if ($document['id'] === '6' && $call['body']['language'] === 'en') {
                    $sent = $document;
                }
            }
        }
        $secret = (string) self::$shop->setting('context_secret');
        [$platform, $documents, $found] = [[], [], []];
        foreach ((new PriceContexts(['USD'], [3], ['fr'], true))->all() as $context) {
            [$group, $country, $currency] = [$context->group ?? 1, $context->country === null ? 0 : $france, $context->currency === null ? 0 : $dollar];
            foreach ([1, 0] as $tax) {
                $platform[] = (float) self::$shop->php("\$s = null; return Product::priceCalculation(1, 6, 0, $country ?: (int) Configuration::get('PS_COUNTRY_DEFAULT'), 0, '',
                    $currency ?: (int) Configuration::get('PS_CURRENCY_DEFAULT'), $group, 1, (bool) $tax, 2, false, true, true, \$s, true, 0, false, 0, 1, 0);");
            }
            $of = static function (string $field) use ($sent, $context): ?float {
                $ofTier = preg_replace('/_(?=[^_]*$).*$/', '', $context->suffix());

                return $sent[$field . $context->suffix()] ?? $sent[$field . $ofTier] ?? null;
            };
            array_push($documents, $of('priceInclTax'), $of('priceExclTax'));
            $token = VisitorToken::sign($secret, [$group], $context->group, $context->country, $context->currency, time());
            $found[] = (float) $this->hits('demo_11', 'en', 'products', ['visitor' => $token])[0]['price'];
        }
        self::assertCount(16, $platform);
        self::assertEqualsWithDelta($platform, $documents, 0.001, 'what was sent');
        $shown = array_column(array_chunk($platform, 2), 0);
        self::assertEqualsWithDelta($shown, $found, 0.001, 'what is found');
        self::assertGreaterThanOrEqual(5, count(array_unique(array_map('strval', $shown))), implode(' ', $shown));
        fwrite(STDERR, "\nsixteen values: " . implode(' ', $platform) . "\n");
    }

    /** A shopper of the group sees in the shop what the service sorts by. */
    private function pricesOfAGroup(int $dollar): void
    {
        $somebody = (float) (new RunningShop())->module('prices', 'ids=6')['prices']['6']['price'];
        $shopper = new Shopper(self::$shop, 3);
        foreach ([null, $dollar] as $currency) {
            if ($currency !== null) {
                $shopper->chooseCurrency($currency);
            }
            $live = $shopper->module('prices', 'ids=6');
            $token = (string) $shopper->module('visitor')['visitor'];
            $hit = $this->hits('demo_11', 'en', 'products', ['visitor' => $token])[0];
            self::assertSame([$live['currency'], (float) $live['prices']['6']['price']], [$hit['currency'], (float) $hit['price']]);
            self::assertSame($currency === null ? 'EUR' : 'USD', $live['currency']);
            self::assertNotSame($somebody, (float) $live['prices']['6']['price']);
        }
        self::assertSame($somebody, (float) $this->hits('demo_11')[0]['price']);
    }

    public function test09ACheckoutWithATaxNumber(): void
    {
        $folder = getenv('FINDWELL_SHOP_DIR') . '/modules/findwelltesttax';
        @mkdir($folder);
        file_put_contents("$folder/findwelltesttax.php", self::TAX_MODULE);
        $mail = self::$shop->php('$m = Configuration::get("PS_MAIL_METHOD"); Configuration::updateValue("PS_MAIL_METHOD", 3);
            return Module::getInstanceByName("findwelltesttax")->install() ? $m : false;');
        self::assertNotFalse($mail);
        try {
            self::$shop->php('return StockAvailable::setQuantity(6, 0, 300);');
            $this->within(fn (): bool => $this->hits('demo_11')[0]['inStock'], 'in stock');
            $before = $this->hits('demo_11')[0];
            $shopper = new Shopper(self::$shop, 3, 'ESB12345678');
            $cart = $shopper->fillCart(6);
            $live = (float) $shopper->module('prices', 'ids=6')['prices']['6']['price'];
            self::assertLessThan((float) $before['price'] - 0.5, $live, 'this shopper pays no tax');
            self::$service->calls();
            $shopper->checkOut($cart);
            $this->within(fn (): bool => self::$shop->value("SELECT 1 FROM {prefix}findwell_queue WHERE type = 'products' AND id_object = 6") === '1', 'it waits in the queue');
            self::assertSame([], $this->blocks(), 'nothing was sent in a request that calculates without tax');
            $queue = self::$shop->cron()['queue'];
            self::assertSame([1, 0], [$queue['done'], $queue['left']]);
            $sent = array_merge(...array_map(static fn (array $call): array => $call['body']['documents'], $this->blocks('#products/bulk$#')));
            self::assertSame(['6', '6'], array_column($sent, 'id'));
            foreach ($sent as $document) {
                self::assertEqualsWithDelta((float) $before['price'], $document['priceInclTax'], 0.001);
            }
            $this->within(fn (): bool => $this->hits('demo_11')[0]['price'] === $before['price'], 'the price with tax');
        } finally {
            self::$shop->php('Configuration::updateValue("PS_MAIL_METHOD", ' . (int) $mail . '); return Module::getInstanceByName("findwelltesttax")->uninstall();');
            exec('rm -r ' . escapeshellarg($folder));
        }
    }

    public function test17CardsOfForbiddenProducts(): void
    {
        $only = self::$shop->value("SELECT MIN(c.id_product) FROM {prefix}category_product c JOIN {prefix}product_shop s USING (id_product)
            WHERE c.id_category = 9 AND s.active = 1 AND s.id_shop = 1");
        $others = self::$shop->database->query('SELECT id_category FROM ' . self::$shop->prefix . "category_product WHERE id_product = $only AND id_category <> 9")->fetchAll(\PDO::FETCH_COLUMN);
        self::$shop->sql("DELETE FROM {prefix}category_product WHERE id_product = $only AND id_category <> 9");
        self::$shop->php('(new Category(9))->updateGroup([3]); return 1;');
        try {
            $shopper = new Shopper(self::$shop, 3);
            foreach (['cards', 'prices'] as $controller) {
                self::assertSame([$only], (new RunningShop())->module($controller, "ids=$only,1")['missing'], $controller);
                self::assertSame([], $shopper->module($controller, "ids=$only,1")['missing'], $controller);
            }
            $ids = implode(',', [$only, ...range(900001, 900047)]);
            $cards = $shopper->module('cards', "ids=$ids");
            self::assertSame([[$only], 47, []], [array_column($cards['cards'], 'id'), count($cards['missing']), $cards['ignored']], '48 ids');
            self::assertSame(['900048'], $shopper->module('cards', "ids=$ids,900048")['ignored'], '49 ids');
        } finally {
            self::$shop->php('(new Category(9))->updateGroup([1, 2, 3]); return 1;');
            foreach ($others as $category) {
                self::$shop->sql("INSERT INTO {prefix}category_product (id_category, id_product, position) VALUES ($category, $only, 1)");
            }
        }
    }

    public function test17ABlockedCountry(): void
    {
        $file = self::$shop->php('return _PS_GEOIP_DIR_ . _PS_GEOIP_CITY_FILE_;');
        self::assertFileDoesNotExist($file, 'this shop has data of countries of its own');
        $names = ['PS_GEOLOCATION_ENABLED', 'PS_GEOLOCATION_BEHAVIOR', 'PS_ALLOWED_COUNTRIES'];
        $former = self::$shop->php('return Configuration::getMultiple(' . var_export($names, true) . ');');
        file_put_contents($file, self::everybodyIsIn('FR'));
        $set = static fn (array $values): mixed => self::$shop->php('foreach (' . var_export($values, true) . ' as $n => $v) { Configuration::updateValue($n, $v); } return 1;');
        try {
            $set(array_combine($names, ['1', '0', 'ES;US']));
            $from = ['X-Forwarded-For: 203.0.113.7'];
            $status = static fn (string $path): int => (new RunningShop())->request($path, [], $from)[0];
            self::assertSame(403, $status('/en/'), 'the shop is closed to this country');
            self::assertSame(200, $status('/en/module/findwell/cron?token=' . self::$shop->setting('cron_token')));
            self::assertSame(403, $status('/en/module/findwell/cron?token=wrong'));
            self::assertSame(403, $status('/en/module/findwell/prices?ids=1'));
            self::assertSame(200, (new RunningShop())->request('/en/')[0]);
        } finally {
            $set($former);
            unlink($file);
        }
    }

    /** A database of addresses in the MaxMind format, in which every address is in one country. */
    private static function everybodyIsIn(string $country): string
    {
        $text = static fn (string $value): string => chr(0x40 | strlen($value)) . $value;
        $map = static fn (array $pairs): string => chr(0xE0 | count($pairs))
            . implode('', array_map(static fn (string $name, string $value): string => $text($name) . $value, array_keys($pairs), $pairs));
        // One node, whose two records point to the first byte of the data.
        $record = substr(pack('N', 1 + 16), 1);
        $data = $map(['country' => $map(['iso_code' => $text($country), 'names' => $map(['en' => $text('France')])])]);
        $meta = $map([
            'node_count' => chr(0xC1) . chr(1), 'record_size' => chr(0xA1) . chr(24), 'ip_version' => chr(0xA1) . chr(4),
            'database_type' => $text('GeoLite2-City'), 'languages' => chr(0x00) . chr(0x04), 'binary_format_major_version' => chr(0xA1) . chr(2),
            'binary_format_minor_version' => chr(0xA0), 'build_epoch' => chr(0x04) . chr(0x02) . pack('N', 1700000000), 'description' => $map([]),
        ]);

        return $record . $record . str_repeat("\0", 16) . $data . "\xAB\xCD\xEFMaxMind.com" . $meta;
    }
}
