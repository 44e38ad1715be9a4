<?php

/**
 * Findwell: objects that changed and were not sent yet.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

interface QueueStore
{
    /**
     * @param list<int> $ids those that are queued already stay once, with the stamp of this change
     *
     * @return list<QueueItem> what is to be removed when it was sent
     */
    public function add(string $type, array $ids): array;

    /**
     * @return list<QueueItem> the oldest of those whose time has come
     */
    public function next(int $limit, int $now): array;

    /**
     * @param list<QueueItem> $items those that changed again meanwhile stay
     */
    public function remove(array $items): void;

    /** Does nothing if the object changed again meanwhile. */
    public function postpone(QueueItem $item, int $nextTry): void;

    public function count(): int;

    public function clear(): void;
}
