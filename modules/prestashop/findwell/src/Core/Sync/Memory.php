<?php

/**
 * Findwell: small values of one shop that outlive a request.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

interface Memory
{
    /** @return mixed null if there is none */
    public function get(string $name): mixed;

    /** @param mixed $value what JSON can hold; null deletes */
    public function set(string $name, mixed $value): void;

    /**
     * Replaces a value by what `$change` makes of the one that is stored now, which another request may have written since
     * this one began.
     *
     * @param callable(mixed): mixed $change gets null if there is none, returns what JSON can hold, never null; may be
     *                                       called several times
     */
    public function update(string $name, callable $change): void;
}
