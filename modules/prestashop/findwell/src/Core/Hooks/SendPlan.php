<?php

/**
 * Findwell: how much of what changed is sent at the end of the request, and how much waits in the queue.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Hooks;

use Findwell\Core\Sync\QueueItem;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class SendPlan
{
    /**
     * @param int $objects that are sent now, at most
     * @param float $seconds for all of them
     * @param float $connectSeconds for each connection
     */
    private function __construct(
        public readonly int $objects,
        public readonly float $seconds,
        public readonly float $connectSeconds
    ) {
    }

    public static function of(RequestKind $request, Noted $noted): self
    {
        $mustQueue = $request->isSwitchedOff || $request->isImport || $request->isBreakerOpen
            // The calculation of prices keeps the tax of the first address that it saw.
            || $request->hasForeignTax || ($noted->hasOrder() && !$request->isShopper)
            || ($request->isShopper && !$request->canHandOver);
        if ($mustQueue) {
            return new self(0, 0.0, 0.0);
        }

        return $request->canHandOver ? new self(50, 5.0, 1.0) : new self(10, 2.0, 1.0);
    }

    /**
     * @param array<string, list<QueueItem>> $queued by type
     *
     * @return array<string, list<QueueItem>> those to send now
     */
    public function now(array $queued): array
    {
        $left = $this->objects;
        $now = [];
        foreach ($queued as $type => $items) {
            $now[$type] = array_slice($items, 0, $left);
            $left -= count($now[$type]);
        }

        return array_filter($now);
    }
}
