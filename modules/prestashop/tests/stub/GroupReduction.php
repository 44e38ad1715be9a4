<?php

/**
 * Findwell: stub of the platform for tests: discounts of groups.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class GroupReduction extends ObjectModel
{
    public static int $resets = 0;

    public static function resetStaticCache()
    {
        ++self::$resets;
    }
}
