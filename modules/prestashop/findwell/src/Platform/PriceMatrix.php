<?php

/**
 * Findwell: the platform's own prices of a product, for each context.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Cache;
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
    private readonly PriceCaches $caches;

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
        $this->isHidden = !ShownPrices::inShop($base->shop);
        $groups = array_map(static fn (PriceContext $context): int => $context->group ?? $base->group, $contexts->all());
        $this->caches = new PriceCaches($base->shop, array_values(array_unique($groups)));
    }

    /**
     * Spares the platform its statements for each product, where it keeps tax rules groups under these keys; they are part of
     * the caches that are dropped after each page.
     *
     * @param array<int, array<string, string|null>> $products id => row
     */
    public function remember(array $products): void
    {
        if ($this->isHidden) {
            return;
        }
        foreach ($products as $id => $row) {
            Cache::store('product_id_tax_rules_group_' . $id . '_' . $this->base->shop, (int) $row['id_tax_rules_group']);
        }
        $this->caches->fill(array_keys($products), fn (int $id): ?float =>
            $this->value($id, 0, $this->base->currency, $this->base->country, $this->base->group, false, false));
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
        $isShown = ShownPrices::toGroup($this->base->groups()[$group] ?? null);
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
