<?php

/**
 * Findwell: stub of the platform for tests: the cache of objects, which counts how often it was emptied.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Cache
{
    public static int $cleaned = 0;
    /** @var array<string, mixed> */
    public static array $stored = [];

    public static function clean($key)
    {
        ++self::$cleaned;
        self::$stored = [];
    }

    public static function store($key, $value)
    {
        self::$stored[$key] = $value;
    }
}
