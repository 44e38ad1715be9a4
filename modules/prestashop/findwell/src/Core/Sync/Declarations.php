<?php

/**
 * Findwell: declares currencies, price tiers, countries and access groups; what was accepted decides which prices are sent.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

use Findwell\Core\Document\PriceContexts;
use Findwell\Core\Service\Clock;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\FeedClient;
use Findwell\Core\Service\Json;
use Findwell\Core\Service\ServiceError;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Declarations
{
    private const REFRESH_SECONDS = 86400;
    /** So long a declaration that cannot be repeated counts as valid. */
    private const TRUSTED_SECONDS = 2592000;

    public function __construct(
        private readonly FeedClient $client,
        private readonly Memory $memory,
        private readonly Clock $clock
    ) {
    }

    /**
     * @param array<string, mixed>|null $plan null if the service does not tell
     *
     * @return list<string> what the plan or the service did not accept
     *
     * @throws ServiceError if the connection or the store is closed
     */
    public function refresh(ShopFacts $facts, ?array $plan, Deadline $deadline): array
    {
        $cut = new PlanCut($plan);
        $bodies = self::bodies($facts, $cut);
        $notes = $cut->notes;
        $accepted = [];
        foreach ($bodies as $name => $body) {
            $error = $this->declare($name, $body, $deadline);
            $accepted[$name] = $error === null;
            if ($error !== null) {
                $notes[] = $name . ': ' . $error;
            }
        }
        $of = static fn (string $name, string $list, string $key): array =>
            $accepted[$name] ? array_column($bodies[$name][$list], $key) : [];
        $this->memory->set('declared', [
            'currencies' => array_values(array_diff($of('currencies', 'currencies', 'code'), [$facts->currencies['code']])),
            'tiers' => array_map('intval', $of('price-tiers', 'tiers', 'groupId')),
            'countries' => $of('price-countries', 'countries', 'iso'),
            'cross' => $facts->crossPrices,
            'notes' => $notes,
        ]);

        return $notes;
    }

    /** The contexts of prices that the service accepted last. */
    public static function contexts(Memory $memory): PriceContexts
    {
        $declared = $memory->get('declared') ?? [];

        return new PriceContexts(
            $declared['currencies'] ?? [],
            $declared['tiers'] ?? [],
            $declared['countries'] ?? [],
            $declared['cross'] ?? false
        );
    }

    /**
     * @return array<string, array<string, mixed>>
     */
    private static function bodies(ShopFacts $facts, PlanCut $cut): array
    {
        $base = array_values(array_filter(
            $facts->currencies['list'],
            static fn (array $currency): bool => $currency['code'] === $facts->currencies['code']
        ));
        $extra = array_values(array_filter(
            $facts->currencies['list'],
            static fn (array $currency): bool => $currency['code'] !== $facts->currencies['code']
        ));

        return [
            'currencies' => [
                'base' => $facts->currencies['code'],
                'currencies' => [...$base, ...$cut->currencies($extra)],
            ],
            'price-tiers' => ['base' => $facts->tiers['base'], 'tiers' => $cut->tiers($facts->tiers['list'])],
            'price-countries' => [
                'base' => $facts->countries['iso'],
                'countries' => $cut->countries($facts->countries['list']),
            ],
            'access-groups' => $facts->access,
        ];
    }

    /**
     * @param array<string, mixed> $body
     *
     * @return string|null why it was not accepted
     */
    private function declare(string $name, array $body, Deadline $deadline): ?string
    {
        $records = $this->memory->get('declarations') ?? [];
        $record = $records[$name] ?? [];
        $now = (int) $this->clock->now();
        $print = sha1(Json::encode($body));
        $isSame = ($record['print'] ?? '') === $print && ($record['ok'] ?? false);
        $age = $now - (int) ($record['at'] ?? 0);
        if ($isSame && $age < self::REFRESH_SECONDS) {
            return null;
        }
        if (!$this->client->supports($name)) {
            return 'the service does not know this operation';
        }
        try {
            $this->client->call($name, '/feed/' . $name, $body, $deadline);
            $error = null;
        } catch (ServiceError $failure) {
            if ($failure->endsConnection() || $failure->errorCode === 'store_suspended') {
                throw $failure;
            }
            if ($failure->isTransient()) {
                return $isSame && $age < self::TRUSTED_SECONDS ? null : $failure->getMessage();
            }
            $error = $failure->getMessage();
        }
        $records[$name] = ['print' => $print, 'at' => $now, 'ok' => $error === null];
        $this->memory->set('declarations', $records);

        return $error;
    }
}
