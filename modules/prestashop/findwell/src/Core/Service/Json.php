<?php

/**
 * Findwell: JSON as it is sent: the same bytes on every machine, never a failure for a wrong byte.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Json
{
    private const FLAGS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE
        | JSON_THROW_ON_ERROR;

    public static function encode(mixed $value): string
    {
        // Some hosts set 17 digits, with which 14.4 is written as 14.400000000000000355.
        $precision = ini_set('serialize_precision', '-1');
        try {
            return json_encode($value, self::FLAGS);
        } finally {
            if (is_string($precision)) {
                ini_set('serialize_precision', $precision);
            }
        }
    }

    /**
     * @return array<array-key, mixed>|null null if it is no object or list
     */
    public static function decode(string $text): ?array
    {
        $value = json_decode($text, true, 64);

        return is_array($value) ? $value : null;
    }
}
