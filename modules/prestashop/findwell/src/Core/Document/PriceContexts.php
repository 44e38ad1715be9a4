<?php

/**
 * Findwell: all contexts that a declared set of currencies, tiers and countries asks for.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PriceContexts
{
    /**
     * @param list<string> $currencies without the base
     * @param list<int> $tiers group ids
     * @param list<string> $countries without the base
     */
    public function __construct(
        public readonly array $currencies = [],
        public readonly array $tiers = [],
        public readonly array $countries = [],
        public readonly bool $cross = false
    ) {
    }

    /**
     * Cross contexts follow the tier that they are compared with.
     *
     * @return list<PriceContext>
     */
    public function all(): array
    {
        $list = [];
        foreach ([null, ...$this->currencies] as $currency) {
            $list[] = new PriceContext($currency);
            foreach ($this->countries as $country) {
                $list[] = new PriceContext($currency, null, $country);
            }
            foreach ($this->tiers as $tier) {
                $list[] = new PriceContext($currency, $tier);
                foreach ($this->cross ? $this->countries : [] as $country) {
                    $list[] = new PriceContext($currency, $tier, $country);
                }
            }
        }

        return $list;
    }
}
