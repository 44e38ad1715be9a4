<?php

/**
 * Findwell: a scenario in a running shop, with the module freshly installed and connected to a service of its own.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop\support;

use Findwell\Tests\contract\support\Service;
use PHPUnit\Framework\TestCase;

abstract class ScenarioCase extends TestCase
{
    protected static Service $service;
    protected static RunningShop $shop;

    public static function setUpBeforeClass(): void
    {
        $missing = RunningShop::missing();
        if ($missing !== null) {
            self::markTestSkipped("SKIPPED: $missing");
        }
        self::$service = new Service();
        self::$shop = new RunningShop();
        self::$shop->console('prestashop:module uninstall findwell');
        self::$shop->console('prestashop:module install findwell');
        $store = self::$service->store();
        self::$service->calls();
        self::$shop->form('connect', ['address' => self::$service->address, 'key' => $store['connectorKey']]);
        self::$firstCalls = array_column(self::$service->calls('#/feed/#'), 'path');
        self::$firstCron = self::cronUntilDone();
    }

    /** @var list<string> */
    protected static array $firstCalls = [];
    /** @var array<string, mixed> */
    protected static array $firstCron = [];

    public static function tearDownAfterClass(): void
    {
        if (isset(self::$service)) {
            self::$service->end();
        }
    }

    protected function setUp(): void
    {
        self::$service->rules([]);
        self::$service->calls();
        self::$shop->sql("DELETE FROM {prefix}findwell_setting WHERE `name` = 'breaker'");
    }

    protected static function cronUntilDone(string $query = 'what=sync'): array
    {
        for ($i = 0; $i < 30; ++$i) {
            $report = self::$shop->cron($query);
            if (in_array($report['status'] ?? '', ['done', 'idle'], true)) {
                break;
            }
        }

        return $report;
    }

    protected static function due(): void
    {
        foreach (['products', 'categories', 'brands', 'pages'] as $type) {
            self::$shop->php("Findwell\\Platform\\Boot::makeDue(1, ['$type']); return 1;");
        }
    }

    protected function hits(string $query, string $language = 'en', string $type = 'products', array $more = []): array
    {
        $body = ['q' => $query, 'lang' => $language, 'types' => [$type]] + $more;

        return self::$service->search((string) self::$shop->setting('public_key'), $body)[$type]['hits'];
    }

    /** Waits at most three seconds, in which a change must be found. */
    protected function within(callable $condition, string $what): void
    {
        for ($until = microtime(true) + 3; microtime(true) < $until; usleep(50000)) {
            if ($condition()) {
                $this->addToAssertionCount(1);

                return;
            }
        }
        self::fail($what);
    }

    /** @return list<array<string, mixed>> */
    protected function blocks(string $match = '#/bulk$#'): array
    {
        return array_values(array_filter(self::$service->calls(), static fn (array $call): bool => preg_match($match, $call['path']) === 1));
    }

    /** A catalogue rule that halves the price of product 6 by its category; returns its id. */
    protected static function halfPriceRule(): int
    {
        return (int) self::$shop->php('$r = new SpecificPriceRule(); $r->name = "x"; $r->id_shop = 1; $r->id_currency = 0; $r->id_country = 0; $r->id_group = 0;
            $r->from_quantity = 1; $r->price = -1; $r->reduction = 50; $r->reduction_type = "percentage"; $r->reduction_tax = 1;
            $r->from = "0000-00-00 00:00:00"; $r->to = "0000-00-00 00:00:00"; $r->add();
            $r->addConditions([["type" => "category", "value" => (new Product(6))->id_category_default]]); $r->apply([6]); $r->save(); return (int) $r->id;');
    }
}
