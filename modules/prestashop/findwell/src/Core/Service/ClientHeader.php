<?php

/**
 * Findwell: the header that names the versions of the module, the shop and PHP, and nothing else.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ClientHeader
{
    public const NAME = 'X-Svc-Client';

    public static function value(string $platform, string $module, string $platformVersion, string $php): string
    {
        return sprintf(
            '%s/%s; platform=%s; php=%s',
            $platform,
            self::numbers($module),
            self::numbers($platformVersion),
            self::numbers($php)
        );
    }

    /** Keeps the leading numbers: `8.2.35-1+deb12u1` is `8.2.35`. */
    private static function numbers(string $version): string
    {
        return preg_match('/^\d+(\.\d+){0,3}/', $version, $match) === 1 ? $match[0] : '0.0.0';
    }
}
