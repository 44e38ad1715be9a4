<?php

/**
 * Findwell: when a pass of a type starts.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Due
{
    public const INTERVAL_MAX = 2592000;

    /**
     * @param int $interval seconds between the end of a pass and the next; 0 is at once
     */
    public static function isDue(PassRecord $record, int $interval, int $now): bool
    {
        return $record->isOpen || $record->isDue || $record->finished === null
            || $now >= self::next($record, $interval);
    }

    public static function next(PassRecord $record, int $interval): int
    {
        return (int) $record->finished + min(max($interval, 0), self::INTERVAL_MAX);
    }
}
