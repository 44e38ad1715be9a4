<?php

/**
 * Findwell: the queue in memory.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core\support;

use Findwell\Core\Sync\QueueItem;
use Findwell\Core\Sync\QueueStore;

final class ArrayQueue implements QueueStore
{
    /** @var array<string, array{item: QueueItem, next: int}> */
    public array $rows = [];

    public function add(string $type, array $ids): void
    {
        foreach ($ids as $id) {
            $this->rows["$type $id"] ??= ['item' => new QueueItem($type, $id), 'next' => 0];
        }
    }

    public function next(int $limit, int $now): array
    {
        $due = array_filter($this->rows, static fn (array $row): bool => $row['next'] <= $now);

        return array_slice(array_column($due, 'item'), 0, $limit);
    }

    public function remove(array $items): void
    {
        foreach ($items as $item) {
            unset($this->rows["$item->type $item->id"]);
        }
    }

    public function postpone(QueueItem $item, int $nextTry): void
    {
        $later = new QueueItem($item->type, $item->id, $item->attempts + 1);
        $this->rows["$item->type $item->id"] = ['item' => $later, 'next' => $nextTry];
    }

    public function count(): int
    {
        return count($this->rows);
    }

    public function clear(): void
    {
        $this->rows = [];
    }
}
