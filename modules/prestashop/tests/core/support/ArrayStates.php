<?php

/**
 * Findwell: state rows in memory.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core\support;

use Findwell\Core\Sync\StateStore;

final class ArrayStates implements StateStore
{
    /** @var array<string, array<string, array<int, array{0: string, 1: string}>>> type, language, id => hash, pass */
    public array $rows = [];

    public function hashes(string $type, string $language, array $ids): array
    {
        $rows = array_intersect_key($this->rows[$type][$language] ?? [], array_flip($ids));

        return array_map(static fn (array $row): string => $row[0], $rows);
    }

    public function write(string $type, string $language, string $pass, array $hashes): void
    {
        foreach ($hashes as $id => $hash) {
            $this->rows[$type][$language][$id] = [$hash, $pass];
        }
    }

    public function idsOfOtherPasses(string $type, string $language, string $pass, int $limit): array
    {
        $other = array_filter($this->rows[$type][$language] ?? [], static fn (array $row): bool => $row[1] !== $pass);

        return array_slice(array_keys($other), 0, $limit);
    }

    public function deleteOtherPasses(string $type, string $language, string $pass): void
    {
        $this->remove($type, $this->idsOfOtherPasses($type, $language, $pass, PHP_INT_MAX), [$language]);
    }

    public function remove(string $type, array $ids, ?array $languages = null): void
    {
        foreach ($languages ?? array_keys($this->rows[$type] ?? []) as $language) {
            foreach ($ids as $id) {
                unset($this->rows[$type][$language][$id]);
            }
        }
    }

    public function drop(?string $type = null, ?string $language = null): void
    {
        if ($type === null) {
            $this->rows = [];
        } elseif ($language === null) {
            unset($this->rows[$type]);
        } else {
            unset($this->rows[$type][$language]);
        }
    }
}
