<?php

/**
 * Findwell: sends what changed at the end of a request; what fails or is left waits in the queue.
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
     * @param array<string, list<int>> $objects
     */
    public function run(SendPlan $plan, array $objects, Deadline $deadline): void
    {
        [$now, $queued] = $plan->split($objects);
        $this->queueAll($queued);
        while ($now !== []) {
            $type = array_key_first($now);
            if ($deadline->isOver()) {
                $this->queueAll($now);

                return;
            }
            try {
                $this->sender->send($type, $now[$type], $deadline);
                unset($now[$type]);
                $this->breaker->succeeded();
            } catch (ServiceError $error) {
                $this->queueAll($now);
                if ($error->endsConnection()) {
                    $this->connection->markBroken($error->getMessage());
                } elseif ($error->isTransient()) {
                    $this->breaker->failed();
                }

                return;
            }
        }
    }

    /**
     * @param array<string, list<int>> $objects
     */
    private function queueAll(array $objects): void
    {
        foreach ($objects as $type => $ids) {
            $this->queue->add($type, $ids);
        }
    }
}
