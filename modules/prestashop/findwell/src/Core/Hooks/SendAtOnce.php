<?php

/**
 * Findwell: sends what changed at the end of a request; what it has sent leaves the queue, the rest waits there.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Hooks;

use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\ServiceError;
use Findwell\Core\Sync\Breaker;
use Findwell\Core\Sync\Connection;
use Findwell\Core\Sync\ObjectSender;
use Findwell\Core\Sync\QueueItem;
use Findwell\Core\Sync\QueueStore;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class SendAtOnce
{
    public function __construct(
        private readonly ObjectSender $sender,
        private readonly QueueStore $queue,
        private readonly Breaker $breaker,
        private readonly Connection $connection
    ) {
    }

    /**
     * @param array<string, list<QueueItem>> $queued by type; each stays in the queue until the service has acknowledged it,
     *                                               whatever is thrown here
     */
    public function run(SendPlan $plan, array $queued, Deadline $deadline): void
    {
        foreach ($plan->now($queued) as $type => $items) {
            if ($deadline->isOver()) {
                return;
            }
            try {
                $this->sender->send($type, array_map(static fn (QueueItem $item): int => $item->id, $items), $deadline);
            } catch (ServiceError $error) {
                if ($error->endsConnection()) {
                    $this->connection->markBroken($error->getMessage());
                } elseif ($error->isTransient()) {
                    $this->breaker->failed();
                }

                return;
            }
            $this->queue->remove($items);
            $this->breaker->succeeded();
        }
    }
}
