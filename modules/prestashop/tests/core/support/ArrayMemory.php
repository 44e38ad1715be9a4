<?php

/**
 * Findwell: values of a shop, in memory; they pass through JSON as in the database.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core\support;

use Findwell\Core\Sync\Memory;

final class ArrayMemory implements Memory
{
    /** @var array<string, string> */
    public array $values = [];

    public function get(string $name): mixed
    {
        return isset($this->values[$name]) ? json_decode($this->values[$name], true) : null;
    }

    public function set(string $name, mixed $value): void
    {
        if ($value === null) {
            unset($this->values[$name]);
        } else {
            $this->values[$name] = json_encode($value);
        }
    }

    public function update(string $name, callable $change): void
    {
        $this->set($name, $change($this->get($name)));
    }
}
