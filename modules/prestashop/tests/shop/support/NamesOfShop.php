<?php

/**
 * Findwell: asks a running shop which of the names that the module and the stub use exist there.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop\support;

use Findwell\Tests\platform\Symbols;

final class NamesOfShop
{
    /** @return array<string, mixed> */
    public static function of(RunningShop $shop): array
    {
        $used = Symbols::used();
        $methods = array_merge(
            array_keys(Symbols::stub()),
            array_map(static fn (string $name): string => substr($name, 0, -2), preg_grep('/\(\)$/', [...$used['members'], ...$used['calls']]))
        );
        $constants = array_values(preg_grep('/\(\)$/', $used['members'], PREG_GREP_INVERT));
        $names = $shop->php('$found = ["classes" => [], "methods" => [], "constants" => []];
            foreach (' . var_export($used['classes'], true) . ' as $name) { if (class_exists($name)) { $found["classes"][] = $name; } }
            foreach (' . var_export(array_values(array_unique($methods)), true) . ' as $name) {
                [$class, $method] = explode("::", $name);
                if (class_exists($class) && method_exists($class, $method)) {
                    $found["methods"][$name] = (new ReflectionMethod($class, $method))->getNumberOfParameters();
                }
            }
            foreach (' . var_export($constants, true) . ' as $name) { if (defined($name)) { $found["constants"][] = $name; } }
            return $found;');
        ksort($names['methods']);
        $names['hooks'] = array_values(array_filter($used['hooks'], $shop->fires(...)));
        $names['tables'] = [];
        foreach ($used['tables'] as $table => $columns) {
            $names['tables'][$table] = $shop->columns($table, $columns);
        }

        return $names;
    }
}
