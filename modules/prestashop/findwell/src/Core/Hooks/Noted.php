<?php

/**
 * Findwell: what changed in this request: each object once, with an upper limit.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Hooks;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Noted
{
    /** So many objects of a type are kept; beyond that a pass finds them. */
    public const OBJECTS_MAX = 500;

    /** @var array<string, array<int, true>> */
    private array $objects = [];
    /** @var array<string, true> */
    private array $due = [];
    private bool $hasOrder = false;
    private bool $hasDeclarations = false;

    public function object(string $type, int $id): void
    {
        if ($id <= 0 || isset($this->due[$type])) {
            return;
        }
        $this->objects[$type][$id] = true;
        if (count($this->objects[$type]) > self::OBJECTS_MAX) {
            $this->due($type);
        }
    }

    /** A pass over the type is due: the change concerns too many objects, or nobody knows which. */
    public function due(string $type): void
    {
        $this->due[$type] = true;
        unset($this->objects[$type]);
    }

    public function order(): void
    {
        $this->hasOrder = true;
    }

    public function declarations(): void
    {
        $this->hasDeclarations = true;
    }

    public function hasOrder(): bool
    {
        return $this->hasOrder;
    }

    public function hasDeclarations(): bool
    {
        return $this->hasDeclarations;
    }

    /**
     * @return array<string, list<int>>
     */
    public function objects(): array
    {
        return array_map('array_keys', $this->objects);
    }

    /**
     * @return list<string>
     */
    public function dueTypes(): array
    {
        return array_keys($this->due);
    }

    public function isEmpty(): bool
    {
        return $this->objects === [] && $this->due === [] && !$this->hasDeclarations;
    }
}
