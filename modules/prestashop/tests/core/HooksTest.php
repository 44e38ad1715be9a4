<?php

/**
 * Findwell: tests of what happens at the end of a request.
 * 1. Objects are noted once; over 500 of a type a pass is due instead.
 * 2. How much is sent now follows from what the request is.
 * 3. In scope is written, the rest deleted, in every language.
 * 4. What fails is queued, once; three failures open the breaker for five minutes; a refused key breaks the connection.
 * 5. Nothing leaves the queue that was not acknowledged: not by what the shop throws, nor while it changes again.
 *    An object that the shop cannot read does not hold the others of the queue back.
 * 6. The queue is drained by the next slice, with the same result, and postpones only what the service rejects.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use Findwell\Core\Hooks\Noted;
use Findwell\Core\Hooks\RequestKind;
use Findwell\Core\Hooks\SendAtOnce;
use Findwell\Core\Hooks\SendPlan;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\HttpResponse;
use Findwell\Core\Sync\Breaker;
use Findwell\Core\Sync\Connection;
use Findwell\Tests\core\support\FakeService;
use Findwell\Tests\core\support\Shop;
use PHPUnit\Framework\TestCase;
use RuntimeException;

final class HooksTest extends TestCase
{
    private FakeService $service;
    private Shop $shop;

    protected function setUp(): void
    {
        $this->service = new FakeService();
        $this->shop = new Shop($this->service);
        $this->shop->catalog->fill('products', range(1, 60));
    }

    private function send(array $objects, ?RequestKind $kind = null): void
    {
        $noted = new Noted();
        foreach ($objects as $type => $ids) {
            array_map(static fn (int $id) => $noted->object($type, $id), $ids);
        }
        $plan = SendPlan::of($kind ?? new RequestKind(true), $noted);
        $client = $this->shop->client(false);
        $breaker = new Breaker($this->shop->memory, $this->shop->clock);
        $now = new SendAtOnce($this->shop->sender($client), $this->shop->queue, $breaker, new Connection($this->shop->memory));
        $queued = [];
        foreach ($noted->objects() as $type => $ids) {
            $queued[$type] = $this->shop->queue->add($type, $ids);
        }
        $now->run($plan, $queued, Deadline::in($this->shop->clock, $plan->seconds));
    }

    public function testNotedOnce(): void
    {
        $noted = new Noted();
        foreach ([1, 1, 2, 0, -3] as $id) {
            $noted->object('products', $id);
        }
        self::assertSame(['products' => [1, 2]], $noted->objects());
        foreach (range(1, 500) as $id) {
            $noted->object('products', $id);
        }
        self::assertCount(500, $noted->objects()['products']);
        $noted->object('products', 501);
        $noted->object('products', 1);
        self::assertSame([[], ['products']], [$noted->objects(), $noted->dueTypes()]);
        self::assertFalse($noted->isEmpty());
        self::assertTrue((new Noted())->isEmpty());
    }

    /** @dataProvider kinds */
    public function testPlan(RequestKind $kind, bool $order, int $objects, float $seconds): void
    {
        $noted = new Noted();
        if ($order) {
            $noted->order();
        }
        $plan = SendPlan::of($kind, $noted);
        self::assertSame([$objects, $seconds], [$plan->objects, $plan->seconds]);
    }

    public static function kinds(): array
    {
        return [
            'handed over' => [new RequestKind(true), false, 50, 5.0],
            'not handed over' => [new RequestKind(false), false, 10, 2.0],
            'shopper, handed over' => [new RequestKind(true, true), false, 50, 5.0],
            'shopper, handed over, order' => [new RequestKind(true, true), true, 50, 5.0],
            'shopper, not handed over' => [new RequestKind(false, true), false, 0, 0.0],
            'order in the administration' => [new RequestKind(true), true, 0, 0.0],
            'import' => [new RequestKind(true, false, true), false, 0, 0.0],
            'switched off' => [new RequestKind(true, false, false, true), false, 0, 0.0],
            'breaker' => [new RequestKind(true, false, false, false, true), false, 0, 0.0],
            'tax number' => [new RequestKind(true, true, false, false, false, true), false, 0, 0.0],
        ];
    }

    public function testFiftyOneObjects(): void
    {
        $this->send(['products' => range(1, 51)]);
        self::assertCount(50, $this->service->sentIds());
        self::assertSame(['products 51'], array_keys($this->shop->queue->rows));
    }

    public function testWrittenAndDeleted(): void
    {
        $this->shop->catalog->names['products'][2]['en'] = '';
        $this->send(['products' => [1, 2, 99], 'categories' => [7]]);
        self::assertSame(['1', '2'], $this->service->sentIds());
        self::assertSame(['1'], $this->service->sentIds('products', 'en'));
        $deletes = $this->service->bodies('#products/delete#');
        self::assertSame([['2'], ['en']], [$deletes[1]['ids'], $deletes[1]['languages']]);
        self::assertSame(['99'], $deletes[0]['ids']);
        self::assertArrayNotHasKey('languages', $deletes[0]);
        self::assertSame(['7'], $this->service->bodies('#categories/delete#')[0]['ids']);
        self::assertSame(0, $this->shop->queue->count());
        $this->shop->clock->now += 10;
        $this->shop->cron();
        self::assertNotContains('1', array_slice($this->service->sentIds(), 2));
    }

    public function testFailuresOpenTheBreaker(): void
    {
        $this->service->reject('#.#', 0, '');
        $breaker = new Breaker($this->shop->memory, $this->shop->clock);
        foreach ([1, 2, 1] as $id) {
            self::assertFalse($breaker->isOpen());
            $this->send(['products' => [$id]]);
        }
        self::assertTrue($breaker->isOpen());
        self::assertSame(2, $this->shop->queue->count());
        self::assertCount(3, $this->service->calls);
        $this->shop->clock->now += 301;
        self::assertFalse($breaker->isOpen());
        $this->service->overrides = [];
        $this->send(['products' => [3]]);
        self::assertNull($this->shop->memory->get('breaker'));
    }

    public function testRejectedKey(): void
    {
        $this->service->reject('#.#', 401, 'key_invalid');
        $this->send(['products' => [1]]);
        self::assertSame('refused: key_invalid', $this->shop->memory->get('broken'));
        self::assertNull($this->shop->memory->get('breaker'));
    }

    public function testQueueIsDrained(): void
    {
        $this->send(['products' => [1, 99]], new RequestKind(false, true));
        self::assertSame([], $this->service->calls);
        $this->shop->interval = 86400;
        $this->shop->types = [];
        $report = $this->shop->cron();
        self::assertSame(['done' => 2, 'failed' => 0, 'left' => 0], $report->queue);
        self::assertSame(['1'], $this->service->sentIds());
        self::assertSame(['99'], $this->service->bodies('#delete#')[0]['ids']);
    }

    public function testQueueWaitsForTheService(): void
    {
        $this->shop->types = [];
        $this->shop->queue->add('products', [1]);
        $this->service->reject('#.#', 0, '', 3);
        self::assertSame(['done' => 0, 'failed' => 1, 'left' => 1], $this->shop->cron()->queue);
        self::assertSame(0, $this->shop->cron()->queue['left']);
    }

    public function testWhatTheShopThrowsLosesNothing(): void
    {
        $this->shop->catalog->unreadable['products'] = [2];
        try {
            $this->send(['products' => [1, 2]]);
            self::fail('nothing was thrown');
        } catch (RuntimeException) {
            self::assertSame(['products 1', 'products 2'], array_keys($this->shop->queue->rows));
        }
        $this->shop->types = [];
        $report = $this->shop->cron();
        self::assertSame([['done' => 1, 'failed' => 1, 'left' => 1], ['1']], [$report->queue, $this->service->sentIds('products', 'es')]);
        self::assertSame(['products 2: cannot be read'], $report->warnings);
        $this->shop->catalog->unreadable = [];
        $this->shop->clock->now += 61;
        self::assertSame(0, $this->shop->cron()->queue['left']);
    }

    public function testWhatChangesWhileItIsSentStaysQueued(): void
    {
        $again = function (): void {
            $this->service->overrides = [function (string $path): ?HttpResponse {
                $this->service->overrides = [];
                $this->shop->queue->add('products', [1]);

                return null;
            }];
        };
        $again();
        $this->send(['products' => [1, 2]]);
        self::assertSame(['products 1'], array_keys($this->shop->queue->rows));
        $again();
        $this->shop->types = [];
        self::assertSame(['done' => 2, 'failed' => 0, 'left' => 0], $this->shop->cron()->queue, 'sent once more in the same call');
    }

    public function testQueuePostponesWhatIsRejected(): void
    {
        $this->shop->types = [];
        $this->shop->queue->add('products', [1]);
        $this->service->reject('#bulk#', 400, 'invalid_request', 1);
        self::assertSame(1, $this->shop->cron()->queue['left']);
        self::assertSame(1, $this->shop->cron()->queue['left']);
        $this->shop->clock->now += 61;
        self::assertSame(0, $this->shop->cron()->queue['left']);
    }
}
