<?php

/**
 * Findwell: cuts what the shop chose to what the plan allows.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PlanCut
{
    /** @var list<string> what was cut, in words */
    public array $notes = [];

    /**
     * @param array<string, mixed>|null $plan null if the service does not tell: then only the base is sent
     */
    public function __construct(private readonly ?array $plan)
    {
    }

    /**
     * @param list<array<string, mixed>> $chosen
     *
     * @return list<array<string, mixed>>
     */
    public function currencies(array $chosen): array
    {
        return $this->cut('currencies', 'maxCurrencies', $chosen, 1);
    }

    /**
     * @param list<array<string, mixed>> $chosen
     *
     * @return list<array<string, mixed>>
     */
    public function tiers(array $chosen): array
    {
        return $this->cut('price tiers', 'maxPriceTiers', $chosen, 1);
    }

    /**
     * @param list<array<string, mixed>> $chosen
     *
     * @return list<array<string, mixed>>
     */
    public function countries(array $chosen): array
    {
        return $this->cut('price countries', 'maxPriceCountries', $chosen, 0);
    }

    /**
     * @param list<array<string, mixed>> $chosen
     * @param int $base how many of the plan's number the base takes
     *
     * @return list<array<string, mixed>>
     */
    private function cut(string $what, string $limit, array $chosen, int $base): array
    {
        $max = $this->plan === null ? $base : ($this->plan[$limit] ?? null);
        if ($max === null || count($chosen) + $base <= $max) {
            return $chosen;
        }
        $this->notes[] = sprintf('%s: plan allows %d, %d configured', $what, $max, count($chosen) + $base);

        return array_slice($chosen, 0, max(0, $max - $base));
    }
}
