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
     * @param list<int> $ids those that are queued already stay once
     */
    public function add(string $type, array $ids): void;

    /**
     * @return list<QueueItem> the oldest of those whose time has come
     */
    public function next(int $limit, int $now): array;

    /**
     * @param list<QueueItem> $items
     */
    public function remove(array $items): void;

    public function postpone(QueueItem $item, int $nextTry): void;

    public function count(): int;

    public function clear(): void;
}
