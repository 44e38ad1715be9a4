<?php

/**
 * Findwell: stub of the platform for tests: templates, of which the values are kept.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Smarty
{
    /** @var array<string, mixed> */
    public array $values = [];

    public function assign($values)
    {
        $this->values = $values;
    }
}
