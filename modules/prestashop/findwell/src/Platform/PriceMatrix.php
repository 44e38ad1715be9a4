<?php

/**
 * Findwell: the platform's own prices of a product, for each context.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Configuration;
use Findwell\Core\Document\Price;
use Findwell\Core\Document\PriceContext;
use Findwell\Core\Document\PriceContexts;
use Findwell\Core\Document\Prices;
use Product;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PriceMatrix
{
    /** @var array<string, int> */
    private array $currencyIds = [];
    /** @var array<string, int> */
    private array $countryIds = [];
    private readonly bool $isHidden;

    public function __construct(
        private readonly PriceBase $base,
        private readonly PriceContexts $contexts
    ) {
        foreach ($base->currencies() as $id => $currency) {
            $this->currencyIds[(string) $currency->iso_code] = $id;
        }
        foreach ($base->countries() as $id => $country) {
            $this->countryIds[strtolower((string) $country['iso_code'])] = $id;
        }
        $this->isHidden = (bool) Configuration::get('PS_CATALOG_MODE', null, null, $base->shop)
            && !(bool) Configuration::get('PS_CATALOG_MODE_WITH_PRICES', null, null, $base->shop);
    }

    /**
     * @param int $variant default variant of the product in the shop, 0 without variants
     *
     * @return array<string, float> price fields
     */
    public function fields(int $product, int $variant, bool $isShown): array
    {
        if ($this->isHidden || !$isShown) {
            return [];
        }

        return Prices::fields($this->contexts, fn (PriceContext $context): ?Price => $this->price($product, $variant, $context));
    }

    private function price(int $product, int $variant, PriceContext $context): ?Price
    {
        $group = $context->group ?? $this->base->group;
        $currency = $context->currency === null ? $this->base->currency : $this->currencyIds[$context->currency] ?? null;
        $country = $context->country === null ? $this->base->country : $this->countryIds[$context->country] ?? null;
        $isShown = (bool) ($this->base->groups()[$group]['show_prices'] ?? false);
        if ($currency === null || $country === null || !$isShown) {
            return null;
        }
        $values = [];
        foreach ([[true, true], [false, true], [true, false], [false, false]] as [$tax, $reductions]) {
            $value = $this->value($product, $variant, $currency, $country, $group, $tax, $reductions);
            if ($value === null) {
                return null;
            }
            $values[] = max(0.0, $value);
        }

        return new Price(...$values);
    }

    private function value(
        int $product,
        int $variant,
        int $currency,
        int $country,
        int $group,
        bool $tax,
        bool $reductions
    ): ?float {
        $specificPrice = null;
        $value = Product::priceCalculation(
            $this->base->shop,
            $product,
            $variant,
            $country,
            0,
            '',
            $currency,
            $group,
            1,
            $tax,
            (int) $this->base->currencies()[$currency]->precision,
            false,
            $reductions,
            true,
            $specificPrice,
            true,
            0,
            false,
            0,
            1,
            0
        );

        return $value === null || $value === false ? null : (float) $value;
    }
}
