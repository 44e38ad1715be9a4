<?php

/**
 * Findwell: tests of the core against the real service.
 * 1. A first pass sends 3,000 products in two languages, all accepted, and shoppers find them by name, reference and code of a variant.
 * 2. An unchanged pass sends nothing and purges nothing.
 * 3. Ten changed are sent, five removed are purged, documents without name are dropped alone.
 * 4. Prices and groups follow the visitor's token; a forged one searches as a visitor.
 * 5. The plan cuts declarations and documents; what is known keeps being updated.
 * 6. Hidden operations (404) take the fallbacks; 503 and a service that hangs leave everything in the queue, within the time of a hook.
 * 7. A process that is killed again and again completes the pass.
 * 8. Wrong keys break the connection; a search-only key is named as such.
 *    Either key is noticed when it was deactivated, while nothing is sent.
 * 9. A close that deletes much is held, and confirmed by the owner.
 * 10. The bodies of all calls have the keys of the documented examples.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\contract;

use Findwell\Core\Hooks\Noted;
use Findwell\Core\Hooks\RequestKind;
use Findwell\Core\Hooks\SendAtOnce;
use Findwell\Core\Hooks\SendPlan;
use Findwell\Core\Service\CurlTransport;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\FeedClient;
use Findwell\Core\Service\RateGate;
use Findwell\Core\Service\SystemClock;
use Findwell\Core\Sync\BlockSender;
use Findwell\Core\Sync\Breaker;
use Findwell\Core\Sync\Connection;
use Findwell\Core\Sync\KeyCheck;
use Findwell\Core\Sync\Declarations;
use Findwell\Core\Sync\ObjectSender;
use Findwell\Core\Sync\Report;
use Findwell\Core\Sync\RunCloser;
use Findwell\Core\Web\VisitorToken;
use Findwell\Tests\contract\support\GeneratedCatalog;
use Findwell\Tests\contract\support\Service;
use Findwell\Tests\core\support\Shop;
use PHPUnit\Framework\TestCase;
use RuntimeException;

final class FeedTest extends TestCase
{
    private static Service $service;
    private Shop $shop;
    private GeneratedCatalog $catalog;
    /** @var array{id: string, connectorKey: string} */
    private array $store;

    public static function setUpBeforeClass(): void
    {
        self::$service = new Service();
    }

    public static function tearDownAfterClass(): void
    {
        self::$service->end();
    }

    private function open(int $products, ?array $plan = null): void
    {
        self::$service->rules([]);
        $this->store = self::$service->store($plan);
        $this->shop = $this->shopWith($this->store['connectorKey'], $products);
        $this->connect();
        self::$service->calls();
    }

    private function shopWith(string $key, int $products): Shop
    {
        $shop = new Shop(new CurlTransport(), self::$service->address, $key);
        $shop->clock->now = microtime(true);
        $shop->clock->waits = true;
        $this->catalog = new GeneratedCatalog($products);
        $shop->source = $this->catalog;

        return $shop;
    }

    private function connect(): array
    {
        $steps = $this->shop->connecting($this->shop->client())->run($this->shop->facts, Deadline::in($this->shop->clock, 50));
        $this->catalog->contexts = Declarations::contexts($this->shop->memory);

        return $steps;
    }

    private function pass(): Report
    {
        $this->shop->clock->now += 90000;
        // A busy machine makes the service ask for patience, and the next call goes on.
        for ($calls = 0; $calls < 20; ++$calls) {
            $report = $this->shop->cron();
            if ($report->status === 'done' || $report->status === 'idle') {
                break;
            }
        }

        return $report;
    }

    /**
     * @return list<string> ids of the products found
     */
    private function ids(string $query, string $language = 'es', array $more = []): array
    {
        return array_column($this->hits($query, $language, $more), 'id');
    }

    private function hits(string $query, string $language = 'es', array $more = []): array
    {
        $key = (string) $this->shop->memory->get('public_key');
        $data = self::$service->search($key, ['q' => $query, 'lang' => $language, 'types' => ['products']] + $more);

        return $data['products']['hits'];
    }

    /** The index follows within two seconds. */
    private function awaitFirst(string $id, string $query, string $language = 'es'): void
    {
        for ($until = microtime(true) + 20, $found = null; $found !== $id && microtime(true) < $until; usleep(50000)) {
            $found = $this->ids($query, $language)[0] ?? null;
        }
        self::assertSame($id, $found);
    }

    private function awaitGone(string $id, string $query, string $language = 'es'): void
    {
        for ($until = microtime(true) + 20, $found = [$id]; in_array($id, $found, true) && microtime(true) < $until; usleep(50000)) {
            $found = $this->ids($query, $language);
        }
        self::assertNotContains($id, $found);
    }

    public function testPasses(): void
    {
        $this->open(3000);
        $this->shop->types = ['products', 'categories', 'brands', 'pages'];
        $report = $this->pass();
        self::assertSame('done', $report->status, json_encode($report));
        self::assertSame([6000, 0, 0], [$report->results['products']['sent'], $report->results['products']['dropped'], $report->results['products']['deleted']]);
        self::assertSame([24, 10, 14], array_column([$report->results['categories'], $report->results['cms'], $report->results['manufacturers']], 'sent'));
        $this->awaitFirst('2999', 'camisa number2999');
        $this->awaitFirst('2999', 'shirt number2999', 'en');
        self::assertSame('123', $this->ids('00123')[0]);
        self::assertSame('77', $this->ids('V-077')[0]);
        $this->documentedBodies(self::$service->calls());

        $report = $this->pass();
        self::assertSame([0, 6000, 0], [$report->results['products']['sent'], $report->results['products']['touched'], $report->results['products']['deleted']]);
        self::assertSame([], self::$service->calls('#/bulk#'));

        foreach (range(101, 110) as $id) {
            $this->catalog->words['products'][$id] = 'second';
        }
        foreach (range(201, 205) as $id) {
            unset($this->catalog->words['products'][$id]);
        }
        $this->catalog->nameless[301] = true;
        $report = $this->pass();
        self::assertSame([20, 12, 2], [$report->results['products']['sent'], $report->results['products']['deleted'], $report->results['products']['dropped']]);
        self::assertSame('done', $report->status);
        $this->awaitGone('203', 'camisa number203');
        $this->awaitFirst('105', 'second number105');
    }

    public function testVisitors(): void
    {
        $this->open(40);
        $this->pass();
        $this->awaitFirst('7', 'number7');
        $secret = (string) $this->shop->memory->get('context_secret');
        $now = time();
        $token = VisitorToken::sign($secret, [4], 4, null, 'USD', $now);
        $price = fn (array $more): float => $this->hits('number7', 'es', $more)[0]['price'];
        self::assertSame([10.07, 105.07], [$price([]), $price(['visitor' => $token])]);
        self::assertSame(5.07, $price(['visitor' => VisitorToken::sign($secret, [4], 4, null, null, $now)]));
        self::assertSame(10.07, $price(['visitor' => VisitorToken::sign('ctx_forged', [4], 4, null, 'USD', $now)]));
        self::assertNotContains('30', $this->ids('number30'));
        self::assertSame('30', $this->ids('number30', 'es', ['visitor' => $token])[0]);
    }

    public function testPlanLimits(): void
    {
        $this->open(30, ['maxCurrencies' => 1, 'maxPriceTiers' => 1, 'maxDocuments' => ['products' => 20]]);
        self::assertSame(['currencies: plan allows 1, 2 configured', 'price tiers: plan allows 1, 2 configured'], $this->shop->memory->get('declared')['notes']);
        self::assertSame([], $this->catalog->contexts->currencies);
        $report = $this->pass();
        self::assertSame([40, 20], [$report->results['products']['sent'], $report->results['products']['dropped']]);
        $this->catalog->words['products'][3] = 'second';
        foreach (range(31, 40) as $id) {
            $this->catalog->words['products'][$id] = 'new';
        }
        $this->pass();
        $this->awaitFirst('3', 'second number3');
        self::assertNotContains('35', $this->ids('new number35'));
    }

    public function testHiddenOperations(): void
    {
        $this->open(150);
        self::$service->rules(['#/feed/(connect|indices|runs|touch|plan)#' => 404]);
        $this->shop->memory->set('capabilities', null);
        $steps = array_column($this->connect(), 'status', 'step');
        self::assertSame(['warning', 'warning', 'ok', 'warning'], array_slice(array_values($steps), 0, 4));
        $this->pass();
        self::assertCount(0, self::$service->calls('#/close#'));
        unset($this->catalog->words['products'][5]);
        $this->catalog->words['products'][6] = 'second';
        $report = $this->pass();
        self::assertSame([2, 2], [$report->results['products']['sent'], $report->results['products']['deleted']]);
        $this->awaitFirst('6', 'second number6');
        $this->awaitGone('5', 'number5');
        self::$service->rules([]);
        $this->shop->memory->set('capabilities', null);
        self::assertSame(298, $this->pass()->results['products']['touched']);
    }

    private function save(array $ids): float
    {
        $clock = new SystemClock();
        $connection = new Connection($this->shop->memory);
        $plan = SendPlan::of(new RequestKind(false), new Noted());
        $client = new FeedClient(
            new CurlTransport(),
            $clock,
            new RateGate($clock),
            $connection->capabilities(),
            $connection->baseAddress(),
            $connection->key(),
            'prestashop/1.0.0; platform=8.2.1; php=8.2.0',
            false,
            $plan->seconds,
            $plan->connectSeconds
        );
        $blocks = new BlockSender($client, static function (): void {
        });
        $sender = new ObjectSender($client, $this->catalog, $this->shop->states, $this->shop->passes, $blocks, $clock, ['es', 'en']);
        $started = microtime(true);
        $atOnce = new SendAtOnce($sender, $this->shop->queue, new Breaker($this->shop->memory, $clock), $connection);
        $queued = ['products' => $this->shop->queue->add('products', $ids)];
        $atOnce->run($plan, $queued, Deadline::in($clock, $plan->seconds));

        return microtime(true) - $started;
    }

    public function testServiceThatHangsOrFails(): void
    {
        $this->open(20);
        $this->pass();
        $this->catalog->words['products'][4] = 'second';
        $this->save([4]);
        $this->awaitFirst('4', 'second number4');
        $this->catalog->words['products'][4] = 'third';
        self::$service->rules(['#bulk#' => 'hang']);
        $seconds = $this->save([4]);
        self::assertGreaterThan(1.9, $seconds);
        self::assertLessThan(4.0, $seconds);
        self::$service->rules(['#bulk#' => 503]);
        $this->save([4, 5]);
        $this->save([5]);
        self::assertTrue((new Breaker($this->shop->memory, new SystemClock()))->isOpen());
        self::assertSame(2, $this->shop->queue->count());
        self::$service->rules([]);
        $report = $this->shop->cron();
        self::assertSame(['done' => 2, 'failed' => 0, 'left' => 0], $report->queue);
        $this->awaitFirst('4', 'third number4');
    }

    public function testKilledAgainAndAgain(): void
    {
        $this->open(1500);
        $this->shop->clock->now += 90000;
        $kills = 0;
        foreach ([0, 1, 2, 0, 3, 1, 0, 0] as $pages) {
            $this->catalog->killAfter = $pages;
            try {
                $this->shop->cron();
            } catch (RuntimeException) {
                ++$kills;
            }
        }
        self::assertSame(8, $kills);
        $this->catalog->killAfter = null;
        do {
            $report = $this->shop->cron();
        } while ($report->status !== 'done');
        self::assertSame(0, $report->results['products']['deleted']);
        self::assertCount(1, array_filter(self::$service->calls('#/feed/runs$#'), static fn (array $call): bool => $call['method'] === 'POST'));
        self::assertSame(3000, $this->pass()->results['products']['touched']);
    }

    public function testWrongKeys(): void
    {
        $this->open(1);
        $public = (string) $this->shop->memory->get('public_key');
        foreach (['con_wrong', $public] as $key) {
            $shop = $this->shopWith($key, 1);
            $steps = $shop->connecting($shop->client())->run($shop->facts, Deadline::in($shop->clock, 50));
            self::assertSame(['connect', 'error'], [$steps[0]['step'], $steps[0]['status']]);
            self::assertCount(1, $steps);
            self::assertNotNull($shop->memory->get('broken'));
        }
    }

    public function testDeactivatedKeys(): void
    {
        $this->open(1);
        $clock = new SystemClock();
        $connection = new Connection($this->shop->memory);
        $check = function () use ($clock, $connection): array {
            $client = fn (string $key): FeedClient => new FeedClient(
                new CurlTransport(),
                $clock,
                new RateGate($clock),
                $connection->capabilities(),
                $connection->baseAddress(),
                $key,
                'prestashop/1.0.0; platform=8.2.1; php=8.2.0',
                false
            );
            $check = new KeyCheck($client($connection->key()), $client($connection->publicKey()), $this->shop->memory, $connection, $clock);
            $check->run(Deadline::in($clock, 5.0));

            return [$connection->brokenReason() === null, !$connection->isPagesKeyRejected(), $connection->downSince() === null];
        };
        self::assertSame([true, true, true], $check());
        $this->deactivate('search_only');
        self::assertSame([true, false, true], $check());
        $this->connect();
        self::assertSame([true, true, true], $check(), 'connecting brings another key');
        $this->deactivate('connector');
        self::assertSame([false, true, true], $check());
    }

    private function deactivate(string $kind): void
    {
        $keys = json_decode(self::$service->command(['key', 'list', '--store', $this->store['id'], '--json']), true);
        foreach ($keys['keys'] ?? $keys as $key) {
            if (str_replace('-', '_', $key['kind']) === $kind && ($key['deactivatedAt'] ?? null) === null) {
                self::$service->command(['key', 'deactivate', $key['id']]);
            }
        }
    }

    public function testHeldPurge(): void
    {
        $this->open(200);
        $this->pass();
        foreach (range(1, 100) as $id) {
            unset($this->catalog->words['products'][$id]);
        }
        self::assertSame(['es' => 100, 'en' => 100], $this->pass()->results['products']['held']);
        self::assertSame('51', $this->ids('number51')[0]);
        $record = $this->shop->passes->load('products');
        $closer = new RunCloser($this->shop->client(), $this->shop->states, $this->shop->passes, $this->shop->clock);
        $closer->confirm('products', $record, Deadline::in($this->shop->clock, 20));
        $this->awaitGone('51', 'number51');
        $report = $this->pass();
        self::assertSame(['done', 200], [$report->status, $report->results['products']['touched']]);
        self::assertArrayNotHasKey('held', $report->results['products']);
    }

    public function testHeldPurgeIsAborted(): void
    {
        $this->open(200);
        $this->pass();
        $removed = array_slice($this->catalog->words['products'], 0, 100, true);
        $this->catalog->words['products'] = array_slice($this->catalog->words['products'], 100, null, true);
        $this->pass();
        $this->catalog->words['products'] = $removed + $this->catalog->words['products'];
        $report = $this->pass();
        self::assertSame(['done', 0], [$report->status, $report->results['products']['deleted']]);
        $this->awaitFirst('51', 'number51');
    }

    /**
     * @param list<array<string, mixed>> $calls
     */
    private function documentedBodies(array $calls): void
    {
        $names = ['bulk' => '#/products/bulk$#', 'runs' => '#/feed/runs$#', 'close' => '#/close$#'];
        foreach ($names as $name => $match) {
            $example = json_decode(file_get_contents(__DIR__ . "/../../../../docs/examples/feed/$name.request.json"), true);
            $bodies = array_filter($calls, static fn (array $call): bool => preg_match($match, $call['path']) === 1);
            self::assertNotSame([], $bodies, $name);
            foreach ($bodies as $call) {
                // A block of a pass names its run; the example is one between two runs.
                $keys = [...array_keys($example), 'runId'];
                self::assertSame([], array_diff(array_keys($call['body']), $keys), $name);
            }
        }
    }
}
