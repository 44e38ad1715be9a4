<?php

/**
 * Findwell: the core, put together for one shop.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Configuration;
use Findwell\Core\Service\Capabilities;
use Findwell\Core\Service\ClientHeader;
use Findwell\Core\Service\Clock;
use Findwell\Core\Service\CurlTransport;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\FeedClient;
use Findwell\Core\Service\RateGate;
use Findwell\Core\Service\SystemClock;
use Findwell\Core\Sync\BlockSender;
use Findwell\Core\Sync\Breaker;
use Findwell\Core\Sync\Connecting;
use Findwell\Core\Sync\Connection;
use Findwell\Core\Sync\KeyCheck;
use Findwell\Core\Sync\ObjectSender;
use Findwell\Core\Sync\PageSender;
use Findwell\Core\Sync\PassEngine;
use Findwell\Core\Sync\QueueDrain;
use Findwell\Core\Sync\RunCloser;
use Findwell\Core\Sync\RunOpener;
use Findwell\Core\Sync\ShopFacts;
use Findwell\Core\Sync\Slice;
use Findwell\Core\Sync\StateStore;
use Shop;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ShopSync
{
    /** Of a check of the keys; somebody may be waiting for the page. */
    public const CHECK_SECONDS = 2.0;

    public readonly Settings $settings;
    public readonly Connection $connection;
    public readonly Choices $choices;
    public readonly StateTable $states;
    public readonly PassTable $passes;
    public readonly QueueTable $queue;
    private readonly Clock $clock;
    private readonly Capabilities $capabilities;
    private ?PriceBase $base = null;
    private ?ShopCatalog $catalog = null;

    public function __construct(public readonly int $shop)
    {
        $this->settings = Settings::of($shop);
        $this->connection = new Connection($this->settings);
        $this->choices = Choices::ofShop($shop);
        $this->states = new StateTable($shop);
        $this->passes = new PassTable($shop);
        $this->queue = new QueueTable($shop, $this->passes);
        $this->clock = new SystemClock();
        $this->capabilities = $this->connection->capabilities();
    }

    public function base(): PriceBase
    {
        $default = (int) Configuration::get('PS_LANG_DEFAULT', null, null, $this->shop);

        return $this->base ??= new PriceBase($this->shop, new Languages($this->shop, $default));
    }

    public function catalog(): ShopCatalog
    {
        return $this->catalog ??= new ShopCatalog($this->base(), $this->choices);
    }

    public function facts(): ShopFacts
    {
        return ShopScope::run($this->shop, fn (): ShopFacts => $this->base()->facts($this->choices, $this->address()));
    }

    /** Address of the shop, by which a copy of it elsewhere is recognised. */
    public function address(): string
    {
        $shop = new Shop($this->shop);
        $isSecure = (bool) Configuration::get('PS_SSL_ENABLED', null, null, $this->shop);

        return ($isSecure ? 'https://' . $shop->domain_ssl : 'http://' . $shop->domain) . rtrim($shop->getBaseURI(), '/');
    }

    /**
     * @param float|null $secondsMax of a request; null outside of hooks, where requests are repeated
     */
    public function client(?float $secondsMax = null, float $connectSeconds = 3.0): FeedClient
    {
        return $this->clientWith($this->connection->key(), $secondsMax, $connectSeconds);
    }

    private function clientWith(string $key, ?float $secondsMax, float $connectSeconds): FeedClient
    {
        return new FeedClient(
            new CurlTransport(),
            $this->clock,
            new RateGate($this->clock),
            $this->capabilities,
            $this->connection->baseAddress(),
            $key,
            ClientHeader::value('prestashop', Boot::VERSION, _PS_VERSION_, PHP_VERSION),
            $secondsMax === null,
            $secondsMax ?? 60.0,
            $connectSeconds
        );
    }

    public function keyCheck(): KeyCheck
    {
        $key = $this->connection->publicKey();

        return new KeyCheck(
            $this->client(self::CHECK_SECONDS, 1.0),
            $key === '' ? null : $this->clientWith($key, self::CHECK_SECONDS, 1.0),
            $this->settings,
            $this->connection,
            $this->clock
        );
    }

    public function connecting(FeedClient $client): Connecting
    {
        return new Connecting(
            $client,
            $this->capabilities,
            $this->settings,
            $this->states,
            $this->queue,
            $this->passes,
            $this->clock
        );
    }

    public function sender(FeedClient $client): ObjectSender
    {
        $languages = $this->connection->indexedLanguages();

        return new ObjectSender(
            $client,
            $this->catalog(),
            $this->states,
            $this->passes,
            $this->blocks($client),
            $this->clock,
            $languages
        );
    }

    public function breaker(): Breaker
    {
        return new Breaker($this->settings, $this->clock);
    }

    public function opener(FeedClient $client): RunOpener
    {
        return new RunOpener($client, $this->states, $this->passes, $this->clock);
    }

    public function closer(FeedClient $client): RunCloser
    {
        return new RunCloser($client, $this->states, $this->passes, $this->clock);
    }

    public function deadline(float $seconds, int $memoryMax = PHP_INT_MAX): Deadline
    {
        return Deadline::in($this->clock, $seconds, $memoryMax);
    }

    /**
     * @param callable(): bool $mayGoOn
     */
    public function slice(callable $mayGoOn): Slice
    {
        $client = $this->client();
        $opener = $this->opener($client);
        $engine = new PassEngine(
            $this->catalog(),
            $this->passes,
            $opener,
            new PageSender($client, $this->catalog(), $this->states, $this->blocks($client), $this->clock),
            $this->closer($client),
            $mayGoOn
        );

        return new Slice(
            $client,
            $this->settings,
            $this->states,
            $this->passes,
            $this->queue,
            $engine,
            $opener,
            new QueueDrain($this->queue, $this->sender($client), $this->clock),
            $this->connecting($client),
            $this->clock,
            $this->facts(...),
            $this->choices->types,
            $this->choices->interval,
            $mayGoOn
        );
    }

    private function blocks(FeedClient $client): BlockSender
    {
        return new BlockSender($client, function (Deadline $deadline) use ($client): void {
            $this->connecting($client)->indices($this->facts(), $deadline);
        });
    }
}
