<?php

/**
 * Findwell: the documents of a page, by language and id.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Documents
{
    /** @var array<string, array<int, array<string, mixed>>> */
    private array $documents = [];
    /** @var array<string, list<int>> */
    private array $nameless = [];

    /**
     * @param array<string, mixed>|null $document null if it has no name in this language
     */
    public function add(string $language, int $id, ?array $document): void
    {
        if ($document === null) {
            $this->nameless[$language][] = $id;
        } else {
            $this->documents[$language][$id] = $document;
        }
    }

    /**
     * @return array<int, array<string, mixed>>
     */
    public function in(string $language): array
    {
        return $this->documents[$language] ?? [];
    }

    /**
     * @return list<int>
     */
    public function namelessIn(string $language): array
    {
        return $this->nameless[$language] ?? [];
    }
}
