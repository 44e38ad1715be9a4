<?php

/**
 * Findwell: sends what hooks left in the queue.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

use Findwell\Core\Service\Clock;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\ServiceError;
use Throwable;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class QueueDrain
{
    private const BLOCK = 50;
    private const RETRY_SECONDS = 60;
    private const RETRY_SECONDS_MAX = 3600;

    public int $done = 0;
    public int $failed = 0;
    /** @var list<string> objects that the shop itself could not read, with the reason */
    public array $problems = [];

    public function __construct(
        private readonly QueueStore $queue,
        private readonly ObjectSender $sender,
        private readonly Clock $clock
    ) {
    }

    /**
     * @param callable(): bool $mayGoOn
     *
     * @throws ServiceError if the service cannot be used now; what was not sent stays queued
     */
    public function run(Deadline $deadline, callable $mayGoOn): void
    {
        while (!$deadline->isOver() && $mayGoOn()) {
            $items = $this->queue->next(self::BLOCK, (int) $this->clock->now());
            if ($items === []) {
                return;
            }
            $byType = [];
            foreach ($items as $item) {
                $byType[$item->type][] = $item;
            }
            foreach ($byType as $type => $group) {
                $this->group($type, $group, $deadline);
            }
        }
    }

    /**
     * @param list<QueueItem> $items
     */
    private function group(string $type, array $items, Deadline $deadline): void
    {
        try {
            $ids = array_map(static fn (QueueItem $item): int => $item->id, $items);
            $this->sender->send($type, $ids, $deadline);
            $this->queue->remove($items);
            $this->done += count($items);
        } catch (ServiceError $error) {
            $this->failed += count($items);
            // A service that cannot be used now is no fault of these objects: they keep their turn.
            if ($error->isTransient() || $error->endsConnection()) {
                throw $error;
            }
            $this->postpone($items);
        } catch (Throwable $failure) {
            $this->unreadable($type, $items, $failure, $deadline);
        }
    }

    /**
     * One object that the shop cannot read must not hold the others back, in this call nor in any later one.
     *
     * @param list<QueueItem> $items
     */
    private function unreadable(string $type, array $items, Throwable $failure, Deadline $deadline): void
    {
        if (count($items) === 1) {
            ++$this->failed;
            $this->problems[] = "$type {$items[0]->id}: " . $failure->getMessage();
            $this->postpone($items);

            return;
        }
        foreach ($items as $item) {
            if (!$deadline->isOver()) {
                $this->group($type, [$item], $deadline);
            }
        }
    }

    /**
     * @param list<QueueItem> $items
     */
    private function postpone(array $items): void
    {
        foreach ($items as $item) {
            $wait = min(self::RETRY_SECONDS * 2 ** min($item->attempts, 10), self::RETRY_SECONDS_MAX);
            $this->queue->postpone($item, (int) $this->clock->now() + $wait);
        }
    }
}
