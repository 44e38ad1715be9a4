<?php

/**
 * Findwell: what a call of the cron address asks for.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Web;

use Findwell\Core\Sync\Types;
use InvalidArgumentException;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class CronRequest
{
    private const LEGACY_ALL = ['full', 'all'];

    /**
     * @param list<string> $types
     * @param string $mode incremental, full or fresh
     */
    private function __construct(
        public readonly string $what,
        public readonly array $types,
        public readonly string $mode,
        public readonly bool $isReset,
        public readonly bool $isSliced
    ) {
    }

    /** Whether the token is that of the shop; an empty one never is. */
    public static function mayCall(mixed $token, string $expected): bool
    {
        return is_string($token) && $expected !== '' && hash_equals($expected, $token);
    }

    /**
     * @throws InvalidArgumentException for an unknown `what`; the message lists the values
     */
    public static function parse(mixed $what, mixed $fresh): self
    {
        $what = is_string($what) && $what !== '' ? $what : 'sync';
        $isFresh = $fresh === '1' || $fresh === 'true' || $fresh === 1;
        $all = array_values(Types::BY_CRON_NAME);
        if ($what === 'reset_incremental') {
            return new self($what, $all, 'incremental', true, true);
        }
        $mode = $isFresh ? 'fresh' : 'incremental';
        if ($what === 'sync') {
            return new self($what, $all, $mode, false, true);
        }
        $name = str_starts_with($what, 'sync_') ? substr($what, 5) : $what;
        $legacyMode = $isFresh ? 'fresh' : 'full';
        if (in_array($what, self::LEGACY_ALL, true)) {
            return new self($what, $all, $legacyMode, false, false);
        }
        if (!isset(Types::BY_CRON_NAME[$name])) {
            throw new InvalidArgumentException('what: one of ' . implode(', ', self::values()));
        }
        $types = [Types::BY_CRON_NAME[$name]];

        return $name === $what
            ? new self($what, $types, $legacyMode, false, false)
            : new self($what, $types, $mode, false, true);
    }

    /**
     * @return list<string>
     */
    public static function values(): array
    {
        $names = array_keys(Types::BY_CRON_NAME);

        return [
            'sync',
            ...array_map(static fn (string $name): string => 'sync_' . $name, $names),
            'reset_incremental',
            ...self::LEGACY_ALL,
            ...$names,
        ];
    }
}
