<?php

/**
 * Findwell: an object that waits to be sent; whether it is written or deleted is decided then.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class QueueItem
{
    /**
     * @param int $stamp of the change that queued it last; another one has to be sent again
     */
    public function __construct(
        public readonly string $type,
        public readonly int $id,
        public readonly int $attempts = 0,
        public readonly int $stamp = 0
    ) {
    }
}
