<?php

/**
 * Findwell: proves that a form was sent by the employee who opened it.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Web;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class FormToken
{
    /** A form stays valid in the hour in which it was opened and the two that follow. */
    private const HOURS = 3;

    public static function create(string $secret, int $employee, int $now): string
    {
        return self::of($secret, $employee, intdiv($now, 3600));
    }

    public static function isValid(mixed $token, string $secret, int $employee, int $now): bool
    {
        if (!is_string($token) || $employee <= 0) {
            return false;
        }
        $hour = intdiv($now, 3600);
        for ($back = 0; $back < self::HOURS; ++$back) {
            if (hash_equals(self::of($secret, $employee, $hour - $back), $token)) {
                return true;
            }
        }

        return false;
    }

    private static function of(string $secret, int $employee, int $hour): string
    {
        return hash_hmac('sha256', 'findwell-form|' . $employee . '|' . $hour, $secret);
    }
}
