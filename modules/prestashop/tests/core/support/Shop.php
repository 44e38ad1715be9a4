<?php

/**
 * Findwell: a shop of memory around the engine: what the platform layer is in a real one.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core\support;

use Findwell\Core\Service\Capabilities;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\FeedClient;
use Findwell\Core\Service\RateGate;
use Findwell\Core\Service\Transport;
use Findwell\Core\Sync\BlockSender;
use Findwell\Core\Sync\Catalog;
use Findwell\Core\Sync\Connecting;
use Findwell\Core\Sync\Connection;
use Findwell\Core\Sync\ObjectSender;
use Findwell\Core\Sync\PageSender;
use Findwell\Core\Sync\PassEngine;
use Findwell\Core\Sync\QueueDrain;
use Findwell\Core\Sync\Report;
use Findwell\Core\Sync\RunCloser;
use Findwell\Core\Sync\RunOpener;
use Findwell\Core\Sync\ShopFacts;
use Findwell\Core\Sync\Slice;
use Findwell\Core\Sync\Types;
use Findwell\Core\Web\CronRequest;

final class Shop
{
    public FakeClock $clock;
    public ArrayMemory $memory;
    public ArrayStates $states;
    public ArrayQueue $queue;
    public ArrayPasses $passes;
    public ArrayCatalog $catalog;
    /** What the engine reads: `catalog`, unless a test has a catalogue of its own. */
    public Catalog $source;
    public ShopFacts $facts;
    public int $interval = 86400;
    public int $requestsPerMinute = 100000;
    private ?Capabilities $capabilities = null;
    /** @var list<string> */
    public array $types = ['products'];
    /** @var callable(): bool */
    public $mayGoOn;

    public function __construct(public Transport $service, string $address = 'http://service.test', string $key = 'con_x')
    {
        $this->clock = new FakeClock();
        $this->memory = new ArrayMemory();
        $this->memory->set('base_address', $address);
        $this->memory->set('key', $key);
        $this->memory->set('instance_id', '6f1c9f0e-5a0f-4d6f-9a37-0d5a3b1b7a11');
        $this->memory->set('languages', ['indexed' => ['es', 'en'], 'skipped' => []]);
        $this->states = new ArrayStates();
        $this->queue = new ArrayQueue();
        $this->passes = new ArrayPasses();
        $this->catalog = new ArrayCatalog();
        $this->source = $this->catalog;
        $this->facts = self::facts();
        $this->mayGoOn = static fn (): bool => true;
    }

    public static function facts(array $extraCurrencies = ['USD'], array $tiers = ['4'], array $countries = ['fr']): ShopFacts
    {
        return new ShopFacts(
            Types::ALL,
            [
                ['code' => 'es', 'locale' => 'es-ES', 'name' => 'Español', 'default' => true],
                ['code' => 'en', 'locale' => 'en-US', 'name' => 'English', 'default' => false],
            ],
            ['code' => 'EUR', 'list' => array_map(static fn (string $code): array => ['code' => $code, 'decimals' => 2], ['EUR', ...$extraCurrencies])],
            ['base' => ['groupId' => '1'], 'list' => array_map(static fn (string $id): array => ['groupId' => $id], $tiers)],
            ['iso' => 'es', 'list' => array_map(static fn (string $iso): array => ['iso' => $iso], $countries)],
            ['enabled' => true, 'visitorGroup' => '1', 'groups' => [['id' => '1'], ['id' => '4']]],
            false,
            'https://shop.example'
        );
    }

    public function client(bool $retries = true): FeedClient
    {
        $connection = new Connection($this->memory);
        $this->capabilities = $connection->capabilities();

        return new FeedClient(
            $this->service,
            $this->clock,
            new RateGate($this->clock, $this->requestsPerMinute),
            $this->capabilities,
            $connection->baseAddress(),
            $connection->key(),
            'prestashop/1.0.0; platform=8.2.1; php=8.2.0',
            $retries
        );
    }

    public function connecting(FeedClient $client): Connecting
    {
        return new Connecting($client, $this->capabilities, $this->memory, $this->states, $this->queue, $this->passes, $this->clock);
    }

    public function sender(FeedClient $client): ObjectSender
    {
        $blocks = new BlockSender($client, static function (): void {
        });

        return new ObjectSender($client, $this->source, $this->states, $this->passes, $blocks, $this->clock, ['es', 'en']);
    }

    public function cron(string $what = 'sync', string $fresh = '0', float $seconds = Slice::SECONDS): Report
    {
        $client = $this->client();
        $connecting = $this->connecting($client);
        $blocks = new BlockSender($client, fn (Deadline $deadline) => $connecting->indices($this->facts, $deadline));
        $opener = new RunOpener($client, $this->states, $this->passes, $this->clock);
        $engine = new PassEngine(
            $this->source,
            $this->passes,
            $opener,
            new PageSender($client, $this->source, $this->states, $blocks, $this->clock),
            new RunCloser($client, $this->states, $this->passes, $this->clock),
            $this->mayGoOn,
            200
        );
        $slice = new Slice(
            $client,
            $this->memory,
            $this->states,
            $this->passes,
            $this->queue,
            $engine,
            $opener,
            new QueueDrain($this->queue, $this->sender($client), $this->clock),
            $connecting,
            $this->clock,
            fn (): ShopFacts => $this->facts,
            $this->types,
            $this->interval,
            $this->mayGoOn
        );

        return $slice->run(CronRequest::parse($what, $fresh), Deadline::in($this->clock, $seconds));
    }
}
