<?php

/**
 * Findwell: the queue of one shop; when it grows too long, a pass takes its place.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Sync\PassStore;
use Findwell\Core\Sync\QueueItem;
use Findwell\Core\Sync\QueueStore;
use Findwell\Core\Sync\Types;
use RuntimeException;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class QueueTable implements QueueStore
{
    public const ROWS_MAX = 20000;

    public function __construct(
        private readonly int $shop,
        private readonly PassStore $passes
    ) {
    }

    public function add(string $type, array $ids): array
    {
        if ($ids === []) {
            return [];
        }
        [$now, $stamp] = [time(), random_int(1, PHP_INT_MAX)];
        $rows = array_map(fn (int $id): string => "($this->shop, " . Sql::text($type) . ", $id, $now, $stamp)", $ids);
        // An object that is queued already gets its turn at once.
        $isQueued = Sql::run('INSERT INTO `{prefix}findwell_queue` (`id_shop`, `type`, `id_object`, `created`, `stamp`) VALUES '
            . implode(',', $rows) . " ON DUPLICATE KEY UPDATE `attempts` = 0, `next_try` = 0, `stamp` = $stamp");
        if (!$isQueued) {
            throw new RuntimeException('a change could not be queued');
        }
        if ($this->count() > self::ROWS_MAX) {
            $this->clear();
            foreach (Types::ALL as $all) {
                $record = $this->passes->load($all);
                $record->isDue = true;
                $this->passes->save($all, $record);
            }
        }

        return array_map(static fn (int $id): QueueItem => new QueueItem($type, $id, 0, $stamp), $ids);
    }

    public function next(int $limit, int $now): array
    {
        $rows = Sql::rows("SELECT `type`, `id_object`, `attempts`, `stamp` FROM `{prefix}findwell_queue`"
            . " WHERE `id_shop` = $this->shop AND `next_try` <= $now ORDER BY `next_try`, `created`, `id_object` LIMIT $limit");

        return array_map(static fn (array $row): QueueItem =>
            new QueueItem((string) $row['type'], (int) $row['id_object'], (int) $row['attempts'], (int) $row['stamp']), $rows);
    }

    public function remove(array $items): void
    {
        if ($items !== []) {
            Sql::run('DELETE FROM `{prefix}findwell_queue` WHERE ' . $this->are($items));
        }
    }

    public function postpone(QueueItem $item, int $nextTry): void
    {
        Sql::run("UPDATE `{prefix}findwell_queue` SET `attempts` = `attempts` + 1, `next_try` = $nextTry WHERE " . $this->are([$item]));
    }

    public function count(): int
    {
        return (int) Sql::value("SELECT COUNT(*) FROM `{prefix}findwell_queue` WHERE `id_shop` = $this->shop");
    }

    public function clear(): void
    {
        Sql::run("DELETE FROM `{prefix}findwell_queue` WHERE `id_shop` = $this->shop");
    }

    /**
     * @param list<QueueItem> $items
     */
    private function are(array $items): string
    {
        $rows = array_map(static fn (QueueItem $item): string => '(' . Sql::text($item->type) . ", $item->id, $item->stamp)", $items);

        return "`id_shop` = $this->shop AND (`type`, `id_object`, `stamp`) IN (" . implode(',', $rows) . ')';
    }
}
