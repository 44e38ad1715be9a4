<?php

/**
 * Findwell: keeps two slices of one shop apart.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

interface Lock
{
    /** Takes the lock without waiting. */
    public function acquire(): bool;

    /** Whether it still is ours: a lost database connection loses it silently. */
    public function isHeld(): bool;

    public function release(): void;
}
