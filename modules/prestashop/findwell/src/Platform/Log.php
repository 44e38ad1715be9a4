<?php

/**
 * Findwell: the platform's log, in which keys never stand.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Web\LogLine;
use PrestaShopLogger;
use Throwable;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Log
{
    public static function warning(string $text): void
    {
        PrestaShopLogger::addLog(LogLine::of('Findwell: ' . $text), 2);
    }

    public static function failure(Throwable $failure): void
    {
        self::warning(get_class($failure) . ' in ' . basename($failure->getFile()) . ':' . $failure->getLine()
            . ': ' . $failure->getMessage());
    }
}
