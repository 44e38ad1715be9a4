<?php

/**
 * Findwell: a clock that moves when somebody sleeps, and at each look at it if told so.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core\support;

use Findwell\Core\Service\Clock;

final class FakeClock implements Clock
{
    /** @var list<float> */
    public array $slept = [];
    /** Whether sleeping takes real time too, for a service that needs it. */
    public bool $waits = false;

    public function __construct(public float $now = 1_800_000_000.0, public float $tick = 0.0)
    {
    }

    public function now(): float
    {
        return $this->now += $this->tick;
    }

    public function sleep(float $seconds): void
    {
        $this->slept[] = $seconds;
        $this->now += $seconds;
        if ($this->waits) {
            usleep((int) ($seconds * 1000000));
        }
    }
}
