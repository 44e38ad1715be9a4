<?php

/**
 * Findwell: which operations the service knows: those it listed, or all but those that were 404 in the last day.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Capabilities
{
    public const REMEMBERED_SECONDS = 86400;

    /** Operations whose name is not that of a capability. */
    private const ALWAYS = ['connect'];

    /**
     * @param list<string>|null $listed null if the service lists none
     * @param array<string, int> $missing operation => time at which it was 404
     */
    public function __construct(
        private ?array $listed = null,
        private array $missing = []
    ) {
    }

    /**
     * @param array<string, mixed> $stored
     */
    public static function restore(array $stored): self
    {
        $listed = is_array($stored['listed'] ?? null) ? array_values(array_filter($stored['listed'], 'is_string')) : null;
        $missing = array_map('intval', is_array($stored['missing'] ?? null) ? $stored['missing'] : []);

        return new self($listed, $missing);
    }

    /**
     * @return array<string, mixed>
     */
    public function store(): array
    {
        return ['listed' => $this->listed, 'missing' => $this->missing];
    }

    /**
     * @param list<string> $listed
     */
    public function learn(array $listed): void
    {
        $this->listed = $listed;
        $this->missing = [];
    }

    public function forget(): void
    {
        $this->listed = null;
        $this->missing = [];
    }

    public function markMissing(string $operation, int $now): void
    {
        $this->missing[$operation] = $now;
    }

    public function supports(string $operation, int $now): bool
    {
        $missing = $this->missing[$operation] ?? null;
        if ($missing !== null && $now - $missing < self::REMEMBERED_SECONDS) {
            return false;
        }

        return $this->listed === null || in_array($operation, self::ALWAYS, true)
            || in_array($operation, $this->listed, true);
    }
}
