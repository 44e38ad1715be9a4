<?php

/**
 * Findwell: tests of price fields.
 * 1. Names are built from currency, tier and country, in this order.
 * 2. Original prices exist only when the price is lower, with and without tax together.
 * 3. A hidden price has no field, and nothing takes its place.
 * 4. Every declared currency has tier and country fields; cross prices only where they differ from the tier's.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use Findwell\Core\Document\Price;
use Findwell\Core\Document\PriceContext;
use Findwell\Core\Document\PriceContexts;
use Findwell\Core\Document\Prices;
use PHPUnit\Framework\TestCase;

final class PricesTest extends TestCase
{
    public function testNames(): void
    {
        $contexts = new PriceContexts(['USD'], [4], ['fr'], true);
        $fields = Prices::fields($contexts, static fn (PriceContext $context): Price =>
            $context->group !== null && $context->country !== null ? new Price(1, 1, 2, 2) : new Price(9, 8, 10, 9));
        $suffixes = ['', '_cfr', '_t4', '_t4_cfr', '_USD', '_USD_cfr', '_USD_t4', '_USD_t4_cfr'];
        $expected = [];
        foreach ($suffixes as $suffix) {
            foreach (['priceInclTax', 'priceExclTax', 'originalPriceInclTax', 'originalPriceExclTax'] as $name) {
                $expected[] = $name . $suffix;
            }
        }
        self::assertSame($expected, array_keys($fields));
        self::assertSame(9.0, $fields['priceInclTax_USD_t4']);
        self::assertSame(1.0, $fields['priceExclTax_USD_t4_cfr']);
    }

    public function testOriginalsOnlyWhenDiscounted(): void
    {
        $fields = Prices::fields(new PriceContexts(), static fn (): Price => new Price(14.4, 12.0, 14.4, 12.0));
        self::assertSame(['priceInclTax' => 14.4, 'priceExclTax' => 12.0], $fields);
        $fields = Prices::fields(new PriceContexts(), static fn (): Price => new Price(14.4, 12.0, 14.41, 12.0));
        self::assertSame(14.41, $fields['originalPriceInclTax']);
        self::assertSame(12.0, $fields['originalPriceExclTax']);
    }

    public function testHiddenPricesHaveNoField(): void
    {
        $contexts = new PriceContexts([], [4, 5], ['fr'], true);
        $fields = Prices::fields($contexts, static fn (PriceContext $context): ?Price =>
            $context->group === 4 ? null : new Price(2, 1, 2, 1));
        self::assertSame(
            ['priceInclTax', 'priceExclTax', 'priceInclTax_cfr', 'priceExclTax_cfr', 'priceInclTax_t5', 'priceExclTax_t5'],
            array_keys($fields)
        );
    }

    public function testNoCrossPricesUnlessRequested(): void
    {
        $suffixes = static fn (PriceContexts $contexts): array =>
            array_map(static fn (PriceContext $context): string => $context->suffix(), $contexts->all());
        self::assertSame(['', '_cfr', '_t4', '_USD', '_USD_cfr', '_USD_t4'], $suffixes(new PriceContexts(['USD'], [4], ['fr'])));
        self::assertSame([''], $suffixes(new PriceContexts()));
    }
}
