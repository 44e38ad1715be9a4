<?php

/**
 * Findwell: lists what the module uses of the platform: static methods and constants of its classes, and its tables.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

final class Symbols
{
    private const ROOT = __DIR__ . '/../../findwell/';

    /**
     * @return array{methods: list<string>, classes: list<string>, tables: list<string>}
     */
    public static function used(): array
    {
        $methods = [];
        $classes = [];
        $tables = [];
        $files = array_merge(glob(self::ROOT . 'src/Platform/*.php'), glob(self::ROOT . 'controllers/front/*.php'), [self::ROOT . 'findwell.php']);
        foreach ($files as $file) {
            $text = (string) php_strip_whitespace($file);
            $isNamespaced = str_contains($text, 'namespace Findwell');
            preg_match_all('/\buse ([A-Z]\w*);/', $text, $imports);
            $known = $isNamespaced ? $imports[1] : ['Tools', 'Module', 'Order', 'SearchController', 'ModuleFrontController'];
            foreach ($known as $class) {
                $classes[] = $class;
                preg_match_all('/(?<![\\\\\w])' . $class . '::(\w+)(\()?/', $text, $found, PREG_SET_ORDER);
                foreach ($found as $match) {
                    if ($match[1] !== 'class') {
                        $methods[] = $class . '::' . $match[1] . (isset($match[2]) ? '()' : '');
                    }
                }
            }
            preg_match_all('/\{prefix\}([a-z_]+)/', $text, $found);
            array_push($tables, ...array_filter($found[1], static fn (string $table): bool => !str_starts_with($table, 'findwell')));
        }
        $sorted = static function (array $list): array {
            $list = array_values(array_unique($list));
            sort($list);

            return $list;
        };
        $library = ['InvalidArgumentException', 'Throwable', 'RuntimeException'];

        return ['methods' => $sorted($methods), 'classes' => $sorted(array_diff($classes, $library)), 'tables' => $sorted($tables)];
    }
}
