<?php

/**
 * Findwell: no response arrived: refused, timed out, or broken off.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

use RuntimeException;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ConnectionFailed extends RuntimeException
{
}
