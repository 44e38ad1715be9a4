<?php

/**
 * Findwell: stub of the platform for tests: the log.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class PrestaShopLogger
{
    /** @var list<string> */
    public static array $lines = [];

    public static function addLog($message, $severity = 1)
    {
        self::$lines[] = $message;

        return true;
    }
}
