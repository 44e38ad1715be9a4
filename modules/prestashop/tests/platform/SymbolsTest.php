<?php

/**
 * Findwell: tests of what the module uses of the platform, against the names that running shops of both versions have.
 * 1. Every class, member, method, hook, table and column that is used exists in both versions.
 * 2. The methods of the stub exist in both, with at least as many parameters.
 * 3. The scan finds what is known to be used, and a name that does not exist is missed.
 *
 * The names in `names-<version>.json` are written by the scenarios in a running shop, with FINDWELL_WRITE=1.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use PHPUnit\Framework\TestCase;

final class SymbolsTest extends TestCase
{
    /** Tables of modules that a shop may lack; the code asks before it reads them, and one version shows their columns. */
    private const OPTIONAL = ['product_comment'];

    public static function versions(): array
    {
        return [['8.2.1'], ['9.1.4']];
    }

    /** @return array<string, mixed> */
    private static function names(string $version): array
    {
        return json_decode((string) file_get_contents(__DIR__ . "/names-$version.json"), true);
    }

    /** @dataProvider versions */
    public function testUsedNamesExist(string $version): void
    {
        $used = Symbols::used();
        self::assertSame([], self::missing($used, self::names($version)));
        $used['classes'][] = 'NoSuchClass';
        $used['tables']['product'][] = 'no_such_column';
        self::assertSame(['NoSuchClass', 'product.no_such_column'], self::missing($used, self::names($version)));
    }

    /** @dataProvider versions */
    public function testTheStubHasNothingElse(string $version): void
    {
        $names = self::names($version);
        foreach (Symbols::stub() as $method => $parameters) {
            self::assertArrayHasKey($method, $names['methods']);
            self::assertLessThanOrEqual($names['methods'][$method], $parameters, $method);
        }
    }

    public function testTheScan(): void
    {
        $used = Symbols::used();
        self::assertContains('Product::priceCalculation()', $used['members']);
        self::assertContains('Shop::CONTEXT_SHOP', $used['members']);
        self::assertContains('Link::getProductLink()', $used['calls']);
        self::assertContains('Module::registerHook()', $used['calls']);
        self::assertContains('SpecificPriceRule', $used['classes']);
        self::assertContains('actionProductSave', $used['hooks']);
        self::assertContains('visibility', $used['tables']['product_shop']);
        self::assertNotContains([], $used['tables'], 'a table that the stub does not have');
        self::assertNotSame([], self::names('8.2.1')['tables']['product_comment']);
    }

    /**
     * @param array<string, mixed> $used
     * @param array<string, mixed> $names
     *
     * @return list<string>
     */
    private static function missing(array $used, array $names): array
    {
        $missing = array_diff($used['classes'], $names['classes']);
        foreach ([...$used['members'], ...$used['calls']] as $name) {
            $isThere = str_ends_with($name, '()')
                ? isset($names['methods'][substr($name, 0, -2)])
                : in_array($name, $names['constants'], true);
            if (!$isThere) {
                $missing[] = $name;
            }
        }
        array_push($missing, ...array_diff($used['hooks'], $names['hooks']));
        foreach ($used['tables'] as $table => $columns) {
            if (in_array($table, self::OPTIONAL, true) && $names['tables'][$table] === []) {
                continue;
            }
            foreach (array_diff($columns, $names['tables'][$table] ?? []) as $column) {
                $missing[] = "$table.$column";
            }
        }

        return array_values($missing);
    }
}
