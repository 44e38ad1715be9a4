<?php

/**
 * Findwell: the four values of one price, as the shop rounded them.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Price
{
    public function __construct(
        public readonly float $inclTax,
        public readonly float $exclTax,
        public readonly float $originalInclTax,
        public readonly float $originalExclTax
    ) {
    }

    public function equals(self $other): bool
    {
        return $this->inclTax === $other->inclTax && $this->exclTax === $other->exclTax
            && $this->originalInclTax === $other->originalInclTax
            && $this->originalExclTax === $other->originalExclTax;
    }

    public function isDiscounted(): bool
    {
        return $this->originalInclTax > $this->inclTax || $this->originalExclTax > $this->exclTax;
    }
}
