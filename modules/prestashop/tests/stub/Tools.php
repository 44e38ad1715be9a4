<?php

/**
 * Findwell: stub of the platform for tests: values of a request.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Tools
{
    public static function getValue($key, $default_value = false)
    {
        return $_POST[$key] ?? $_GET[$key] ?? $default_value;
    }

    public static function getMemoryLimit()
    {
        return 128 * 1024 * 1024;
    }

    public static function str2url($str)
    {
        return trim((string) preg_replace('/[^a-z0-9]+/', '-', strtolower($str)), '-');
    }
}
