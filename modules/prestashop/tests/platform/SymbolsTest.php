<?php

/**
 * Findwell: test of the list of what the module uses of the platform.
 * 1. The committed list is that of the sources; a running shop of each version is checked against it.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use PHPUnit\Framework\TestCase;

final class SymbolsTest extends TestCase
{
    public function testTheListIsCurrent(): void
    {
        $file = __DIR__ . '/symbols.json';
        $used = json_encode(Symbols::used(), JSON_PRETTY_PRINT) . "\n";
        if (getenv('FINDWELL_WRITE') === '1') {
            file_put_contents($file, $used);
        }
        self::assertSame(file_get_contents($file), $used, 'write it with FINDWELL_WRITE=1');
        self::assertContains('Product::priceCalculation()', Symbols::used()['methods']);
    }
}
