<?php

/**
 * Findwell: for whom a price is calculated: currency, customer group, country.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PriceContext
{
    /**
     * @param string|null $currency ISO code; null is the base currency
     * @param int|null $group id of a price tier; null is the visitor group
     * @param string|null $country ISO code in small letters; null is the base country
     */
    public function __construct(
        public readonly ?string $currency = null,
        public readonly ?int $group = null,
        public readonly ?string $country = null
    ) {
    }

    public function suffix(): string
    {
        return ($this->currency === null ? '' : '_' . $this->currency)
            . ($this->group === null ? '' : '_t' . $this->group)
            . ($this->country === null ? '' : '_c' . $this->country);
    }
}
