<?php

/**
 * Findwell: the prices of products for the visitor of this request.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Configuration;
use Context;
use Group;
use Product;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class LivePrices
{
    public function __construct(private readonly Context $context)
    {
    }

    /**
     * @param list<int> $ids
     *
     * @return array<string, mixed>
     */
    public function of(array $ids): array
    {
        $tax = !Group::getPriceDisplayMethod((int) Group::getCurrent()->id);
        $currency = $this->context->currency;
        $visible = ShopperProducts::visible($this->context, $ids);
        $prices = [];
        foreach ($visible as $id => $row) {
            $prices[(string) $id] = $this->price($id, $row, $tax);
        }

        return [
            'currency' => (string) $currency->iso_code,
            'decimals' => (int) $currency->precision,
            'taxIncluded' => $tax,
            'prices' => (object) $prices,
            'missing' => array_map('strval', array_values(array_diff($ids, array_keys($visible)))),
        ];
    }

    /**
     * @param array<string, string|null> $row
     *
     * @return array<string, mixed>
     */
    private function price(int $id, array $row, bool $tax): array
    {
        $isShown = ShownPrices::toVisitor() && (bool) $row['show_price'];
        $isOrderable = (bool) $row['available_for_order'] && !Configuration::isCatalogMode();
        if (!$isShown) {
            return ['showPrice' => false, 'orderable' => $isOrderable];
        }
        $variant = (int) $row['variant'];
        $decimals = (int) $this->context->currency->precision;
        $price = (float) Product::getPriceStatic($id, $tax, $variant, $decimals);
        $original = (float) Product::getPriceStatic($id, $tax, $variant, $decimals, null, false, false);
        $entry = ['price' => $price, 'formatted' => $this->text($price), 'showPrice' => true, 'orderable' => $isOrderable];
        if ($original > $price) {
            $entry['original'] = $original;
            $entry['originalFormatted'] = $this->text($original);
            $entry['discount'] = (int) round(100 * (1 - $price / $original));
        }

        return $entry;
    }

    private function text(float $price): string
    {
        return $this->context->getCurrentLocale()->formatPrice($price, $this->context->currency->iso_code);
    }
}
