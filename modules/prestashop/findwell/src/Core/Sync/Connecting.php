<?php

/**
 * Findwell: makes a connection, step by step, each with its result.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

use Findwell\Core\Service\Capabilities;
use Findwell\Core\Service\Clock;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\FeedClient;
use Findwell\Core\Service\ServiceError;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Connecting
{
    /** @var list<array{step: string, status: string, message: string}> status is ok, warning or error */
    private array $steps = [];

    public function __construct(
        private readonly FeedClient $client,
        private readonly Capabilities $capabilities,
        private readonly Memory $memory,
        private readonly StateStore $states,
        private readonly QueueStore $queue,
        private readonly PassStore $passes,
        private readonly Clock $clock
    ) {
    }

    /**
     * Connect, indices, public key, plan, declarations; an error in one of the first ends the rest.
     *
     * @return list<array{step: string, status: string, message: string}>
     */
    public function run(ShopFacts $facts, Deadline $deadline): array
    {
        $this->steps = [];
        $this->capabilities->forget();
        $steps = [
            'connect' => fn () => $this->connect($deadline),
            'indices' => fn () => $this->indices($facts, $deadline),
            'public-key' => fn () => $this->publicKey($facts, false, $deadline),
            'plan' => fn () => $this->plan($deadline),
            'declarations' => fn () => $this->declarations($facts, $deadline),
        ];
        foreach ($steps as $name => $step) {
            try {
                $step();
            } catch (ServiceError $error) {
                $this->failed($name, $error, $facts);
                if ($name === 'connect' && !$error->isUnknownOperation() || $error->endsConnection()) {
                    break;
                }
            }
        }
        $this->memory->set('capabilities', $this->capabilities->store());

        return $this->steps;
    }

    private function connect(Deadline $deadline): void
    {
        $data = $this->client->call('connect', '/feed/connect', null, $deadline);
        $storeId = (string) ($data['storeId'] ?? '');
        $former = $this->memory->get('store_id');
        if ($former !== null && $former !== $storeId) {
            $this->forgetStore();
        }
        $this->memory->set('store_id', $storeId);
        $this->memory->set('store_name', (string) ($data['name'] ?? ''));
        $this->memory->set('broken', null);
        $this->memory->set('breaker', null);
        $this->memory->set('down_since', null);
        $this->memory->set('keys_checked', (int) $this->clock->now());
        if (is_array($data['capabilities'] ?? null)) {
            $this->capabilities->learn(array_values(array_filter($data['capabilities'], 'is_string')));
        }
        foreach (Types::ALL as $type) {
            $record = $this->passes->load($type);
            $record->isDue = true;
            $this->passes->save($type, $record);
        }
        $this->step('connect', 'ok', (string) ($data['name'] ?? '') . ' (' . $storeId . ')');
    }

    /** What is known of another store is worth nothing here. */
    private function forgetStore(): void
    {
        $this->states->drop();
        $this->queue->clear();
        foreach (Types::ALL as $type) {
            $this->passes->save($type, new PassRecord());
        }
        foreach (['declarations', 'declared', 'languages', 'plan', 'public_key', 'context_secret', 'pages_key_rejected'] as $name) {
            $this->memory->set($name, null);
        }
    }

    public function indices(ShopFacts $facts, Deadline $deadline): void
    {
        $data = $this->client->call(
            'indices',
            '/feed/indices',
            ['types' => $facts->types, 'languages' => $facts->languages],
            $deadline
        );
        $skipped = array_column($data['languages']['skipped'] ?? [], 'code');
        $this->memory->set('languages', [
            'indexed' => array_values($data['languages']['indexed'] ?? []),
            'skipped' => $skipped,
        ]);
        $left = $skipped === [] ? '' : '; left out: ' . implode(', ', $skipped);
        $this->step('indices', $skipped === [] ? 'ok' : 'warning', implode(', ', $data['languages']['indexed'] ?? []) . $left);
    }

    public function publicKey(ShopFacts $facts, bool $rotate, Deadline $deadline): void
    {
        $body = ['instanceId' => $this->memory->get('instance_id'), 'origin' => $facts->origin, 'rotate' => $rotate];
        $data = $this->client->call('public-key', '/feed/public-key', $body, $deadline);
        $this->memory->set('public_key', (string) ($data['publicKey'] ?? ''));
        $this->memory->set('pages_key_rejected', null);
        $this->memory->set('context_secret', (string) ($data['contextSecret'] ?? ''));
        $this->memory->set('seen_address', $facts->origin);
        $this->step('public-key', 'ok', (string) ($data['publicKey'] ?? ''));
    }

    public function plan(Deadline $deadline): void
    {
        try {
            $plan = $this->client->call('plan', '/feed/plan', null, $deadline);
        } catch (ServiceError $error) {
            if ($error->isUnknownOperation()) {
                $this->memory->set('plan', null);
            }
            throw $error;
        }
        $this->memory->set('plan', $plan);
        $this->step('plan', 'ok', (string) ($plan['plan'] ?? ''));
    }

    private function declarations(ShopFacts $facts, Deadline $deadline): void
    {
        $declarations = new Declarations($this->client, $this->memory, $this->clock);
        $notes = $declarations->refresh($facts, $this->memory->get('plan'), $deadline);
        $this->step('declarations', $notes === [] ? 'ok' : 'warning', implode('; ', $notes));
    }

    private function failed(string $name, ServiceError $error, ShopFacts $facts): void
    {
        if ($error->isUnknownOperation()) {
            if ($name === 'indices') {
                $this->withoutIndices($facts);
            }
            $this->step($name, 'warning', $name === 'connect' || $name === 'indices'
                ? 'this service is older: indices are created in its panel'
                : 'this service does not know the operation');

            return;
        }
        if ($error->endsConnection()) {
            $this->memory->set('broken', $error->getMessage());
        }
        $this->step($name, 'error', $error->getMessage());
    }

    /** An older service is sent every language; its panel decides which it has. */
    private function withoutIndices(ShopFacts $facts): void
    {
        if ($this->memory->get('languages') === null) {
            $codes = array_column($facts->languages, 'code');
            $this->memory->set('languages', ['indexed' => $codes, 'skipped' => []]);
        }
    }

    private function step(string $step, string $status, string $message): void
    {
        $this->steps[] = ['step' => $step, 'status' => $status, 'message' => $message];
    }
}
