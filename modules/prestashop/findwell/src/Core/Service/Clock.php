<?php

/**
 * Findwell: the time and waiting, so that tests have their own.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

if (!defined('_PS_VERSION_')) {
    exit;
}

interface Clock
{
    /** Seconds since 1970, with fractions. */
    public function now(): float;

    public function sleep(float $seconds): void;
}
