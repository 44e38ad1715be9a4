<?php

/**
 * Findwell: tests of connecting and declarations.
 * 1. Steps: connect, indices, public key, plan, declarations; each has its result.
 * 2. An older service is connected with a warning; a refused key ends the steps and breaks the connection.
 * 3. Another store drops what was known of the former one.
 * 4. Declarations are cut to the plan with a note; what is refused has no price fields; a hiccup changes nothing for 30 days.
 * 5. Unchanged declarations are not repeated within a day.
 * 6. A copy of the shop is recognised by its address.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use Findwell\Core\Service\Deadline;
use Findwell\Core\Sync\Connection;
use Findwell\Core\Sync\Declarations;
use Findwell\Tests\core\support\FakeService;
use Findwell\Tests\core\support\Shop;
use PHPUnit\Framework\TestCase;

final class ConnectingTest extends TestCase
{
    private FakeService $service;
    private Shop $shop;

    protected function setUp(): void
    {
        $this->service = new FakeService();
        $this->shop = new Shop($this->service);
    }

    private function connect(): array
    {
        $client = $this->shop->client();

        return $this->shop->connecting($client)->run($this->shop->facts, Deadline::in($this->shop->clock, 50));
    }

    private function declare(?array $plan): array
    {
        $this->service->calls = [];
        $declarations = new Declarations($this->shop->client(), $this->shop->memory, $this->shop->clock);

        return $declarations->refresh($this->shop->facts, $plan, Deadline::in($this->shop->clock, 50));
    }

    public function testSteps(): void
    {
        $steps = $this->connect();
        self::assertSame(['connect', 'indices', 'public-key', 'plan', 'declarations'], array_column($steps, 'step'));
        self::assertSame(['ok'], array_unique(array_column($steps, 'status')));
        $paths = array_column($this->service->calls, 'path');
        self::assertSame(['/feed/connect', '/feed/indices', '/feed/public-key', '/feed/plan', '/feed/currencies'], array_slice($paths, 0, 5));
        $connection = new Connection($this->shop->memory);
        self::assertSame(['pub_x', 'ctx_x', ['es', 'en']], [$connection->publicKey(), $connection->contextSecret(), $connection->indexedLanguages()]);
        self::assertSame('con_••••••••••••on_x', $connection->maskedKey());
        $this->service->plan = ['plan' => 'x'];
        self::assertStringNotContainsString('con_x', json_encode($steps));
    }

    public function testOlderService(): void
    {
        $this->shop->memory->set('languages', null);
        $this->service->reject('#connect|indices#', 404, 'not_found');
        $steps = array_column($this->connect(), 'status', 'step');
        self::assertSame(['warning', 'warning', 'ok'], array_slice(array_values($steps), 0, 3));
        self::assertSame(['es', 'en'], (new Connection($this->shop->memory))->indexedLanguages());
        $this->service->reject('#.#', 404, 'not_found');
        self::assertSame(['warning'], array_unique(array_column($this->connect(), 'status')));
        self::assertSame([], Declarations::contexts($this->shop->memory)->tiers);
    }

    public function testRejectedKey(): void
    {
        foreach ([[401, 'key_invalid'], [403, 'key_kind']] as [$status, $code]) {
            $service = new FakeService();
            $service->reject('#.#', $status, $code);
            $shop = new Shop($service);
            $steps = $shop->connecting($shop->client())->run($shop->facts, Deadline::in($shop->clock, 50));
            self::assertSame([['step' => 'connect', 'status' => 'error', 'message' => "refused: $code"]], $steps);
            self::assertSame("refused: $code", $shop->memory->get('broken'));
        }
    }

    public function testAnotherStore(): void
    {
        $this->connect();
        $this->shop->catalog->fill('products', [1, 2]);
        $this->shop->cron();
        $this->shop->queue->add('products', [1]);
        $this->connect();
        self::assertCount(2, $this->shop->states->rows['products']['es']);
        self::assertTrue($this->shop->passes->load('products')->isDue);
        $this->service->storeId = 'store2';
        $this->connect();
        self::assertSame([[], 0], [$this->shop->states->rows, $this->shop->queue->count()]);
        self::assertNull($this->shop->passes->load('products')->finished);
    }

    public function testCutToThePlan(): void
    {
        $this->shop->facts = Shop::facts(['USD', 'GBP'], ['4', '5', '6'], ['fr', 'de']);
        $notes = $this->declare(['maxCurrencies' => 2, 'maxPriceTiers' => 3, 'maxPriceCountries' => 1]);
        self::assertSame([
            'currencies: plan allows 2, 3 configured',
            'price tiers: plan allows 3, 4 configured',
            'price countries: plan allows 1, 2 configured',
        ], $notes);
        $contexts = Declarations::contexts($this->shop->memory);
        self::assertSame([['USD'], [4, 5], ['fr']], [$contexts->currencies, $contexts->tiers, $contexts->countries]);
        self::assertSame(['EUR', 'USD'], array_column($this->service->bodies('#currencies#')[0]['currencies'], 'code'));
    }

    public function testPlanUnknown(): void
    {
        $this->declare(null);
        $contexts = Declarations::contexts($this->shop->memory);
        self::assertSame([[], [], []], [$contexts->currencies, $contexts->tiers, $contexts->countries]);
        $this->declare([]);
        self::assertSame(['USD'], Declarations::contexts($this->shop->memory)->currencies);
    }

    public function testRejectedDeclaration(): void
    {
        $this->service->reject('#price-tiers#', 403, 'plan_limit');
        self::assertSame(['price-tiers: refused: plan_limit'], $this->declare([]));
        $contexts = Declarations::contexts($this->shop->memory);
        self::assertSame([['USD'], [], ['fr']], [$contexts->currencies, $contexts->tiers, $contexts->countries]);
    }

    public function testHiccup(): void
    {
        $this->declare([]);
        self::assertCount(4, $this->service->calls);
        $this->declare([]);
        self::assertCount(0, $this->service->calls);
        $this->service->reject('#.#', 500, 'internal');
        $this->shop->clock->now += 86400 * 29;
        $this->declare([]);
        self::assertCount(4, $this->service->calls);
        self::assertSame([4], Declarations::contexts($this->shop->memory)->tiers);
        $this->shop->clock->now += 86400 * 2;
        $this->declare([]);
        self::assertSame([], Declarations::contexts($this->shop->memory)->tiers);
    }

    public function testChangedDeclarationDuringAHiccup(): void
    {
        $this->declare([]);
        $this->service->reject('#price-tiers#', 503, 'unavailable');
        $this->shop->facts = Shop::facts(['USD'], ['4', '5']);
        $this->declare([]);
        self::assertSame([], Declarations::contexts($this->shop->memory)->tiers);
        self::assertSame(['USD'], Declarations::contexts($this->shop->memory)->currencies);
    }

    public function testCopy(): void
    {
        $connection = new Connection($this->shop->memory);
        self::assertFalse($connection->isCopy('https://shop.example'));
        $this->connect();
        self::assertFalse($connection->isCopy('https://shop.example'));
        self::assertTrue($connection->isCopy('https://staging.example'));
    }
}
