<?php

/**
 * Findwell: the price fields of a product.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Prices
{
    /**
     * @param callable(PriceContext): ?Price $priceOf null if the price is hidden in that context
     *
     * @return array<string, float>
     */
    public static function fields(PriceContexts $contexts, callable $priceOf): array
    {
        $fields = [];
        $ofTier = null;
        foreach ($contexts->all() as $context) {
            $price = $priceOf($context);
            $isCross = $context->group !== null && $context->country !== null;
            if ($context->group !== null && !$isCross) {
                $ofTier = $price;
            }
            // A hidden price has no field at all, and a cross price that equals its tier's needs none.
            if ($price === null || ($isCross && ($ofTier === null || $price->equals($ofTier)))) {
                continue;
            }
            $fields += self::of($context->suffix(), $price);
        }

        return $fields;
    }

    /**
     * @return array<string, float>
     */
    private static function of(string $suffix, Price $price): array
    {
        $fields = ['priceInclTax' . $suffix => $price->inclTax, 'priceExclTax' . $suffix => $price->exclTax];
        if ($price->isDiscounted()) {
            $fields['originalPriceInclTax' . $suffix] = $price->originalInclTax;
            $fields['originalPriceExclTax' . $suffix] = $price->originalExclTax;
        }

        return $fields;
    }
}
