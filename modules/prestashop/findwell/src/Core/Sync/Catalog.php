<?php

/**
 * Findwell: reads the shop's objects as documents.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

interface Catalog
{
    /**
     * @return list<int> the next ids of objects in scope that are greater than `$after`, ascending
     */
    public function pageIds(string $type, int $after, int $limit): array;

    /**
     * Reads objects fresh; an id that is missing in the result is out of scope.
     *
     * @param list<int> $ids
     * @param list<string> $languages
     */
    public function documents(string $type, array $ids, array $languages): Documents;

    /** Drops what the platform caches of the objects read. */
    public function flushCaches(): void;
}
