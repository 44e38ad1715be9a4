<?php

/**
 * Findwell: tests of the check of the keys.
 * 1. A key that the service rejects is noticed while nothing is sent, and the former state returns with a good one.
 * 2. A service that does not respond is noted with the time since when, until it responds; it says nothing of the keys.
 * 3. It is due again before the next call of cron.
 * 4. A removal that is held is a warning of every call, and counts objects, not their documents in each language.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\HttpResponse;
use Findwell\Core\Sync\Connection;
use Findwell\Core\Sync\KeyCheck;
use Findwell\Tests\core\support\FakeService;
use Findwell\Tests\core\support\Shop;
use PHPUnit\Framework\TestCase;

final class KeyCheckTest extends TestCase
{
    private FakeService $service;
    private Shop $shop;
    private Connection $connection;

    protected function setUp(): void
    {
        $this->service = new FakeService();
        $this->service->overrides = [static fn (string $path): ?HttpResponse =>
            $path === '/widget/config' ? new HttpResponse(200, '{"success":true,"data":{"storeId":"store1"}}', []) : null];
        $this->shop = new Shop($this->service);
        $this->connection = new Connection($this->shop->memory);
    }

    private function check(): KeyCheck
    {
        $check = new KeyCheck(
            $this->shop->client(false),
            $this->shop->client(false),
            $this->shop->memory,
            $this->connection,
            $this->shop->clock
        );
        $check->run(Deadline::in($this->shop->clock, 5));

        return $check;
    }

    /** @param array<string, array{0: int, 1: string}> $rejections by part of the path */
    private function rejections(array $rejections): void
    {
        $others = $this->service->overrides;
        $this->service->overrides = [];
        foreach ($rejections as $path => [$status, $code]) {
            $this->service->reject("#$path#", $status, $code);
        }
        array_push($this->service->overrides, ...$others);
    }

    public function testKeysAreAccepted(): void
    {
        $this->check();
        self::assertSame(['/feed/connect', '/widget/config'], array_column($this->service->calls, 'path'));
        self::assertSame([null, false, null], $this->state());
    }

    /** @return array{0: string|null, 1: bool, 2: int|null} */
    private function state(): array
    {
        return [$this->connection->brokenReason(), $this->connection->isPagesKeyRejected(), $this->connection->downSince()];
    }

    public function testConnectorKeyIsDeactivated(): void
    {
        $this->rejections(['connect' => [401, 'key_invalid']]);
        $this->check();
        self::assertSame(['refused: key_invalid', false, null], $this->state());
        self::assertCount(1, $this->service->calls, 'what it says of the other key would be of no use');
    }

    public function testKeyOfThePagesIsDeactivated(): void
    {
        $before = $this->service->overrides;
        $this->rejections(['widget' => [401, 'key_invalid']]);
        $this->check();
        self::assertSame([null, true, null], $this->state());
        $this->service->overrides = $before;
        $this->check();
        self::assertSame([null, false, null], $this->state());
        $this->connection->markPagesKey(false);
        $connecting = $this->shop->connecting($this->shop->client());
        $connecting->publicKey($this->shop->facts, false, Deadline::in($this->shop->clock, 5));
        self::assertFalse($this->connection->isPagesKeyRejected(), 'a new key');
    }

    /** @dataProvider outages */
    public function testServiceIsDown(int $status): void
    {
        $before = $this->service->overrides;
        $this->rejections(['connect' => [$status, 'unavailable']]);
        $this->connection->markPagesKey(false);
        $since = (int) $this->shop->clock->now();
        $this->check();
        $this->shop->clock->now += 600;
        $this->check();
        self::assertSame([null, true, $since], $this->state());
        $this->service->overrides = $before;
        $this->check();
        self::assertSame([null, false, null], $this->state());
    }

    public static function outages(): array
    {
        return [[0], [503]];
    }

    public function testWhenItIsDue(): void
    {
        $check = $this->check();
        self::assertFalse($check->isDue());
        $this->shop->clock->now += 300;
        self::assertTrue($check->isDue());
    }

    public function testHeldRemovalsAreWarnings(): void
    {
        $this->shop->types = ['products'];
        $record = $this->shop->passes->load('products');
        [$record->finished, $record->held] = [(int) $this->shop->clock->now(), ['es' => 1601, 'en' => 1600]];
        $this->shop->passes->save('products', $record);
        $warnings = $this->shop->cron()->warnings;
        self::assertCount(1, $warnings);
        self::assertStringContainsString('1601 products', $warnings[0]);
    }
}
