<?php

/**
 * Findwell: how much of what changed is sent at the end of the request, and how much waits in the queue.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Hooks;

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
     * @param array<string, list<int>> $objects
     *
     * @return array{0: array<string, list<int>>, 1: array<string, list<int>>} those to send, those to queue
     */
    public function split(array $objects): array
    {
        $left = $this->objects;
        $now = [];
        $queued = [];
        foreach ($objects as $type => $ids) {
            $part = array_slice($ids, 0, $left);
            $left -= count($part);
            if ($part !== []) {
                $now[$type] = $part;
            }
            if (count($part) < count($ids)) {
                $queued[$type] = array_slice($ids, count($part));
            }
        }

        return [$now, $queued];
    }
}
