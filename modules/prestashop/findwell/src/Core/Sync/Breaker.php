<?php

/**
 * Findwell: spares a request the wait for a service that failed three times in a row.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

use Findwell\Core\Service\Clock;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Breaker
{
    private const FAILURES = 3;
    private const OPEN_SECONDS = 300;

    public function __construct(
        private readonly Memory $memory,
        private readonly Clock $clock
    ) {
    }

    public function isOpen(): bool
    {
        return $this->openUntil() > $this->clock->now();
    }

    public function openUntil(): int
    {
        return (int) ($this->memory->get('breaker')['until'] ?? 0);
    }

    public function failed(): void
    {
        $now = (int) $this->clock->now();
        // Several requests wait for the same service, and each of their failures counts.
        $this->memory->update('breaker', static function (?array $stored) use ($now): array {
            $failures = (int) ($stored['failures'] ?? 0) + 1;
            $until = $failures >= self::FAILURES ? $now + self::OPEN_SECONDS : 0;

            return ['failures' => $failures, 'until' => max($until, (int) ($stored['until'] ?? 0))];
        });
    }

    public function succeeded(): void
    {
        if ($this->memory->get('breaker') !== null) {
            $this->memory->set('breaker', null);
        }
    }
}
