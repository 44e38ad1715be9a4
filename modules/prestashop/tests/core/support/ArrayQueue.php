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
    private int $stamp = 0;

    public function add(string $type, array $ids): array
    {
        ++$this->stamp;
        $items = array_map(fn (int $id): QueueItem => new QueueItem($type, $id, 0, $this->stamp), $ids);
        foreach ($items as $item) {
            $this->rows["$type $item->id"] = ['item' => $item, 'next' => 0];
        }

        return $items;
    }

    public function next(int $limit, int $now): array
    {
        $due = array_filter($this->rows, static fn (array $row): bool => $row['next'] <= $now);

        return array_slice(array_column($due, 'item'), 0, $limit);
    }

    public function remove(array $items): void
    {
        foreach ($items as $item) {
            if ($this->has($item)) {
                unset($this->rows["$item->type $item->id"]);
            }
        }
    }

    public function postpone(QueueItem $item, int $nextTry): void
    {
        if ($this->has($item)) {
            $later = new QueueItem($item->type, $item->id, $item->attempts + 1, $item->stamp);
            $this->rows["$item->type $item->id"] = ['item' => $later, 'next' => $nextTry];
        }
    }

    private function has(QueueItem $item): bool
    {
        return ($this->rows["$item->type $item->id"]['item']->stamp ?? null) === $item->stamp;
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
