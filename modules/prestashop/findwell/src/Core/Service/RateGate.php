<?php

/**
 * Findwell: the pace: at most 300 requests in any minute of this process.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class RateGate
{
    public const REQUESTS_PER_MINUTE = 300;

    /** @var list<float> */
    private array $sent = [];

    public function __construct(
        private readonly Clock $clock,
        private readonly int $perMinute = self::REQUESTS_PER_MINUTE
    ) {
    }

    /**
     * Waits until the next request may go.
     *
     * @return bool false if that would pass the deadline
     */
    public function pass(Deadline $deadline): bool
    {
        $now = $this->clock->now();
        $this->sent = array_values(array_filter($this->sent, static fn (float $at): bool => $at > $now - 60));
        if (count($this->sent) >= $this->perMinute) {
            $wait = $this->sent[0] + 60 - $now;
            if ($wait >= $deadline->remaining()) {
                return false;
            }
            $this->clock->sleep($wait);
            array_shift($this->sent);
        }
        $this->sent[] = $this->clock->now();

        return true;
    }
}
