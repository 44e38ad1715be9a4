<?php

/**
 * Findwell: what a shop says of itself before it sends documents, in the form of the service.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ShopFacts
{
    /**
     * @param list<string> $types those that are sent
     * @param list<array{code: string, locale: string, name: string, default: bool}> $languages default first
     * @param array{code: string, list: list<array<string, mixed>>} $currencies base, and the extra ones chosen
     * @param array{base: array<string, mixed>, list: list<array<string, mixed>>} $tiers visitor group, and those chosen
     * @param array{iso: string, list: list<array<string, mixed>>} $countries base, and those chosen
     * @param array<string, mixed> $access body of the declaration of access groups
     */
    public function __construct(
        public readonly array $types,
        public readonly array $languages,
        public readonly array $currencies,
        public readonly array $tiers,
        public readonly array $countries,
        public readonly array $access,
        public readonly bool $crossPrices,
        public readonly string $origin
    ) {
    }
}
