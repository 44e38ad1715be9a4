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

    public function add(string $type, array $ids): void
    {
        if ($ids === []) {
            return;
        }
        $now = time();
        $rows = array_map(fn (int $id): string => "($this->shop, " . Sql::text($type) . ", $id, $now)", $ids);
        // An object that is queued already gets its turn at once.
        Sql::run('INSERT INTO `{prefix}findwell_queue` (`id_shop`, `type`, `id_object`, `created`) VALUES '
            . implode(',', $rows) . ' ON DUPLICATE KEY UPDATE `attempts` = 0, `next_try` = 0');
        if ($this->count() > self::ROWS_MAX) {
            $this->clear();
            foreach (Types::ALL as $all) {
                $record = $this->passes->load($all);
                $record->isDue = true;
                $this->passes->save($all, $record);
            }
        }
    }

    public function next(int $limit, int $now): array
    {
        $rows = Sql::rows("SELECT `type`, `id_object`, `attempts` FROM `{prefix}findwell_queue`"
            . " WHERE `id_shop` = $this->shop AND `next_try` <= $now ORDER BY `next_try`, `created`, `id_object` LIMIT $limit");

        return array_map(static fn (array $row): QueueItem =>
            new QueueItem((string) $row['type'], (int) $row['id_object'], (int) $row['attempts']), $rows);
    }

    public function remove(array $items): void
    {
        foreach ($items as $item) {
            Sql::run('DELETE FROM `{prefix}findwell_queue` WHERE ' . $this->is($item));
        }
    }

    public function postpone(QueueItem $item, int $nextTry): void
    {
        Sql::run("UPDATE `{prefix}findwell_queue` SET `attempts` = `attempts` + 1, `next_try` = $nextTry WHERE " . $this->is($item));
    }

    public function count(): int
    {
        return (int) Sql::value("SELECT COUNT(*) FROM `{prefix}findwell_queue` WHERE `id_shop` = $this->shop");
    }

    public function clear(): void
    {
        Sql::run("DELETE FROM `{prefix}findwell_queue` WHERE `id_shop` = $this->shop");
    }

    private function is(QueueItem $item): string
    {
        return "`id_shop` = $this->shop AND `type` = " . Sql::text($item->type) . ' AND `id_object` = ' . $item->id;
    }
}
