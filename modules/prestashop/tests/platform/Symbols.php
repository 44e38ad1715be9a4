<?php

/**
 * Findwell: lists what the module and the stub use of the platform: classes, methods with their number of parameters,
 * constants, properties, hooks, tables and columns.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use Findwell\Platform\HookList;
use ReflectionClass;
use ReflectionMethod;

final class Symbols
{
    private const ROOT = __DIR__ . '/../../findwell/';
    private const STUB = __DIR__ . '/../stub/';
    /** Classes that the module's own ones extend or ask for, without importing them. */
    private const UNIMPORTED = ['Tools', 'Module', 'SearchController', 'ModuleFrontController'];
    /** Classes of PHP. */
    private const LIBRARY = ['InvalidArgumentException', 'Throwable', 'RuntimeException', 'Smarty', 'Closure', 'ReflectionMethod'];

    /**
     * @return array{classes: list<string>, members: list<string>, calls: list<string>, hooks: list<string>, tables: array<string, list<string>>}
     */
    public static function used(): array
    {
        $classes = array_keys(HookList::OBJECTS);
        $members = [];
        $calls = [];
        $tables = [];
        foreach (self::sources() as $text) {
            preg_match_all('/\buse ([A-Z]\w*);/', $text, $imports);
            $imported = array_diff(str_contains($text, 'namespace Findwell') ? $imports[1] : self::UNIMPORTED, self::LIBRARY);
            array_push($classes, ...$imported);
            foreach ($imported as $class) {
                preg_match_all('/(?<![\\\\\w])' . $class . '::(\w+)(\()?/', $text, $found, PREG_SET_ORDER);
                foreach ($found as $match) {
                    if ($match[1] !== 'class') {
                        $members[] = "$class::$match[1]" . (isset($match[2]) ? '()' : '');
                    }
                }
            }
            array_push($calls, ...self::calls($text));
            preg_match_all('/\{prefix\}([a-z_]+)/', $text, $found);
            array_push($tables, ...array_filter($found[1], static fn (string $table): bool => !str_starts_with($table, 'findwell')));
        }
        $columns = json_decode((string) file_get_contents(self::STUB . 'tables.json'), true);

        return [
            'classes' => self::sorted($classes),
            'members' => self::sorted($members),
            'calls' => self::sorted($calls),
            'hooks' => self::sorted(array_diff(HookList::all(), self::hooksOfObjects())),
            'tables' => array_intersect_key($columns, array_flip($tables)) + array_fill_keys($tables, []),
        ];
    }

    /** @return list<string> */
    private static function sources(): array
    {
        $files = [...glob(self::ROOT . 'src/Platform/*.php'), ...glob(self::ROOT . 'controllers/front/*.php'), self::ROOT . 'findwell.php'];

        return array_map(static fn (string $file): string => (string) php_strip_whitespace($file), $files);
    }

    /**
     * Methods of the platform's objects; which class an object has follows from its name.
     *
     * @return list<string>
     */
    private static function calls(string $text): array
    {
        $names = ['link' => 'Link', 'context' => 'Context', 'module' => 'Module', 'smarty' => 'Smarty', 'controller' => 'FrontController',
            'currency' => 'Currency', 'shop' => 'Shop', 'assembler' => 'ProductAssembler', 'factory' => 'ProductPresenterFactory'];
        $calls = [];
        preg_match_all('/(?:->|\$)(' . implode('|', array_keys($names)) . ')->(\w+)\(/', $text, $found, PREG_SET_ORDER);
        foreach ($found as [, $name, $method]) {
            $calls[] = "$names[$name]::$method()";
        }
        preg_match_all('/Db::getInstance\(true\)->(\w+)\(/', $text, $found);
        foreach ($found[1] as $method) {
            $calls[] = "Db::$method()";
        }

        return array_filter($calls, static fn (string $call): bool => !str_starts_with($call, 'Smarty::'));
    }

    /**
     * What the stub claims: a test with a stub that differs from the platform proves nothing.
     *
     * @return array<string, int> method => number of parameters, of which the platform has at least as many
     */
    public static function stub(): array
    {
        $methods = [];
        foreach (glob(self::STUB . '*.php') as $file) {
            $class = new ReflectionClass(basename($file, '.php'));
            foreach ($class->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
                if ($method->class === $class->name && $class->name !== 'Smarty') {
                    $methods["$class->name::$method->name"] = $method->getNumberOfParameters();
                }
            }
        }
        ksort($methods);

        return $methods;
    }

    /** @return list<string> */
    private static function hooksOfObjects(): array
    {
        return preg_grep('/^actionObject/', HookList::all()) ?: [];
    }

    /**
     * @param array<string> $list
     *
     * @return list<string>
     */
    private static function sorted(array $list): array
    {
        $list = array_values(array_unique($list));
        sort($list);

        return $list;
    }
}
