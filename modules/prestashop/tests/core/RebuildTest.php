<?php

/**
 * Findwell: tests of rebuilds, resets and older services.
 * 1. A fresh rebuild clears once, keeps serving, and is continued by later calls.
 * 2. A reset sends everything again and clears nothing.
 * 3. The older names of cron calls are not sliced and touch nothing.
 * 4. Without runs, what changed is sent and what is gone is deleted one by one; a rebuild clears.
 * 5. Without touch everything is sent again; without delete, what is gone stays.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use Findwell\Core\Service\HttpResponse;
use Findwell\Tests\core\support\FakeService;
use Findwell\Tests\core\support\Shop;
use PHPUnit\Framework\TestCase;

final class RebuildTest extends TestCase
{
    private FakeService $service;
    private Shop $shop;

    protected function setUp(): void
    {
        $this->service = new FakeService();
        $this->shop = new Shop($this->service);
        $this->shop->catalog->fill('products', range(1, 250));
        $this->shop->cron();
        $this->service->calls = [];
    }

    public function testFreshClearsOnce(): void
    {
        $this->service->overrides[] = function (string $path): ?HttpResponse {
            $this->shop->clock->now += str_ends_with($path, '/bulk') ? 20 : 0;

            return null;
        };
        unset($this->shop->catalog->names['products'][9]);
        self::assertSame('continue', $this->shop->cron('sync', '1')->status);
        self::assertCount(250, $this->service->documents['products']['es']);
        self::assertSame('done', $this->shop->cron('sync', '1')->status);
        self::assertSame([['languages' => ['es', 'en'], 'keepServing' => true]], $this->service->bodies('#clear#'));
        self::assertCount(249, $this->service->sentIds());
        self::assertCount(249, $this->service->documents['products']['es']);
        self::assertSame('continue', $this->shop->cron('sync', '1')->status);
        self::assertCount(2, $this->service->bodies('#clear#'));
    }

    public function testFreshTakesTheRunOver(): void
    {
        $this->shop->clock->now += 90000;
        $this->shop->mayGoOn = static function (): bool {
            static $pages = 0;

            return ++$pages < 3;
        };
        $this->shop->cron();
        $run = $this->service->run['id'];
        $this->shop->mayGoOn = static fn (): bool => true;
        self::assertSame('done', $this->shop->cron('sync', '1')->status);
        self::assertCount(1, $this->service->bodies("#$run/abort#"));
    }

    public function testReset(): void
    {
        $this->shop->queue->add('products', [3]);
        $this->shop->cron('reset_incremental');
        self::assertSame([], $this->shop->states->rows);
        self::assertSame(1, $this->shop->queue->count());
        $this->shop->cron();
        self::assertCount(250, $this->service->sentIds());
        self::assertSame([], $this->service->bodies('#clear#'));
    }

    public function testOlderNamesSendEverything(): void
    {
        $report = $this->shop->cron('products');
        self::assertSame(['done', 'full'], [$report->status, $report->results['products']['mode']]);
        self::assertCount(250, $this->service->sentIds());
        self::assertSame([], $this->service->bodies('#touch#'));
    }

    public function testWithoutRuns(): void
    {
        $this->service->reject('#/feed/(runs|touch)#', 404, 'not_found');
        $this->shop->clock->now += 90000;
        $this->shop->catalog->fill('products', [5], ' new');
        unset($this->shop->catalog->names['products'][6]);
        $report = $this->shop->cron();
        self::assertSame(['done', 2], [$report->status, $report->results['products']['deleted']]);
        self::assertSame(['5'], $this->service->sentIds());
        self::assertArrayNotHasKey(6, $this->service->documents['products']['es']);
        $this->shop->cron('sync', '1');
        self::assertFalse($this->service->bodies('#clear#')[0]['keepServing']);
        self::assertCount(249, $this->service->documents['products']['es']);
    }

    public function testWithoutTouchOrDelete(): void
    {
        $this->service->reject('#/feed/(touch|products/delete)#', 404, 'not_found');
        $this->shop->clock->now += 90000;
        $this->shop->cron();
        self::assertCount(250, $this->service->sentIds());
        $this->service->reject('#/feed/runs#', 404, 'not_found');
        $this->shop->clock->now += 90000;
        unset($this->shop->catalog->names['products'][6]);
        self::assertSame('done', $this->shop->cron()->status);
        self::assertArrayHasKey(6, $this->service->documents['products']['es']);
    }
}
