<?php

/**
 * Findwell: the code under which the service keeps each language of a shop.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class LanguageCodes
{
    /**
     * @param list<array{id: int, locale: string, default: bool}> $languages the active ones
     * @param array<int, string> $stored codes given before, which never change by themselves
     *
     * @return array<int, string> language id => code
     */
    public static function assign(array $languages, array $stored): array
    {
        usort($languages, static fn (array $a, array $b): int => [!$a['default'], $a['id']] <=> [!$b['default'], $b['id']]);
        $codes = [];
        $taken = array_flip($stored);
        foreach ($languages as $language) {
            $id = $language['id'];
            if (isset($stored[$id])) {
                $codes[$id] = $stored[$id];
                continue;
            }
            $parts = explode('-', strtolower(str_replace('_', '-', $language['locale'])));
            $code = substr($parts[0], 0, 2);
            if (isset($taken[$code]) && isset($parts[1])) {
                $code .= '-' . $parts[1];
            }
            if (isset($taken[$code])) {
                continue;
            }
            $taken[$code] = $id;
            $codes[$id] = $code;
        }

        return $codes;
    }
}
