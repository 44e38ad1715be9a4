<?php

/**
 * Findwell: what the service has, as far as the shop knows: a hash for each document.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

interface StateStore
{
    /**
     * @param list<int> $ids
     *
     * @return array<int, string> id => hash
     */
    public function hashes(string $type, string $language, array $ids): array;

    /**
     * @param array<int, string> $hashes id => hash
     */
    public function write(string $type, string $language, string $pass, array $hashes): void;

    /**
     * @return list<int> up to `$limit` ids that were last written in another pass
     */
    public function idsOfOtherPasses(string $type, string $language, string $pass, int $limit): array;

    public function deleteOtherPasses(string $type, string $language, string $pass): void;

    /**
     * @param list<int> $ids
     * @param list<string>|null $languages null: all
     */
    public function remove(string $type, array $ids, ?array $languages = null): void;

    public function drop(?string $type = null, ?string $language = null): void;
}
