<?php

/**
 * Findwell: until when work may go on: a time, and a limit of memory.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Deadline
{
    public function __construct(
        private readonly Clock $clock,
        public readonly float $until,
        private readonly int $memoryMax = PHP_INT_MAX
    ) {
    }

    public static function in(Clock $clock, float $seconds, int $memoryMax = PHP_INT_MAX): self
    {
        return new self($clock, $clock->now() + $seconds, $memoryMax);
    }

    public function remaining(): float
    {
        return max(0.0, $this->until - $this->clock->now());
    }

    public function isOver(): bool
    {
        return $this->clock->now() >= $this->until || memory_get_usage() > $this->memoryMax;
    }

    /** An earlier deadline within this one. */
    public function within(float $seconds): self
    {
        return new self($this->clock, min($this->until, $this->clock->now() + $seconds), $this->memoryMax);
    }
}
