<?php

/**
 * Findwell: a catalogue in memory.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core\support;

use Findwell\Core\Sync\Catalog;
use Findwell\Core\Sync\Documents;
use RuntimeException;

final class ArrayCatalog implements Catalog
{
    /** @var array<string, array<int, array<string, string>>> type, id, language => name */
    public array $names = [];
    /** @var array<string, list<int>> type => ids whose reading fails */
    public array $unreadable = [];
    /** @var list<int> the first ids of the pages that were read */
    public array $pages = [];
    public int $flushes = 0;

    /**
     * @param list<int> $ids
     */
    public function fill(string $type, array $ids, string $suffix = ''): void
    {
        foreach ($ids as $id) {
            $this->names[$type][$id] = ['es' => "Camisa $id$suffix", 'en' => "Shirt $id$suffix"];
        }
    }

    public function pageIds(string $type, int $after, int $limit): array
    {
        $ids = array_filter(array_keys($this->names[$type] ?? []), static fn (int $id): bool => $id > $after);
        sort($ids);

        return array_slice($ids, 0, $limit);
    }

    public function documents(string $type, array $ids, array $languages): Documents
    {
        $this->pages[] = $ids[0] ?? 0;
        if (array_intersect($ids, $this->unreadable[$type] ?? []) !== []) {
            throw new RuntimeException('cannot be read');
        }
        $documents = new Documents();
        foreach ($ids as $id) {
            foreach (isset($this->names[$type][$id]) ? $languages : [] as $language) {
                $name = $this->names[$type][$id][$language] ?? '';
                $field = $type === 'pages' ? 'title' : 'name';
                $documents->add($language, $id, $name === '' ? null : ['id' => (string) $id, $field => $name]);
            }
        }

        return $documents;
    }

    public function flushCaches(): void
    {
        ++$this->flushes;
    }
}
