<?php

/**
 * Findwell: state rows of one shop.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Sync\StateStore;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class StateTable implements StateStore
{
    private const ROWS_MAX = 500;

    public function __construct(private readonly int $shop)
    {
    }

    public function hashes(string $type, string $language, array $ids): array
    {
        $rows = Sql::rows('SELECT `id_object`, HEX(`hash`) AS `hash` FROM `{prefix}findwell_state` WHERE '
            . $this->scope($type, $language) . ' AND `id_object` IN (' . Sql::ids($ids) . ')');
        $hashes = [];
        foreach ($rows as $row) {
            $hashes[(int) $row['id_object']] = 'sha1:' . strtolower((string) $row['hash']);
        }

        return $hashes;
    }

    public function write(string $type, string $language, string $pass, array $hashes): void
    {
        [$typeText, $languageText, $passText] = [Sql::text($type), Sql::text($language), Sql::text($pass)];
        foreach (array_chunk($hashes, self::ROWS_MAX, true) as $part) {
            $rows = [];
            foreach ($part as $id => $hash) {
                $digits = preg_replace('/[^0-9a-f]/', '', substr($hash, 5));
                $rows[] = "($this->shop, $typeText, $languageText, " . (int) $id . ", UNHEX('$digits'), $passText, " . time() . ')';
            }
            Sql::run('INSERT INTO `{prefix}findwell_state`'
                . ' (`id_shop`, `type`, `id_lang`, `id_object`, `hash`, `pass`, `sent_at`) VALUES ' . implode(',', $rows)
                . ' ON DUPLICATE KEY UPDATE `hash` = VALUES(`hash`), `pass` = VALUES(`pass`), `sent_at` = VALUES(`sent_at`)');
        }
    }

    public function idsOfOtherPasses(string $type, string $language, string $pass, int $limit): array
    {
        return array_map('intval', Sql::column('SELECT `id_object` FROM `{prefix}findwell_state` WHERE '
            . $this->scope($type, $language) . ' AND `pass` <> ' . Sql::text($pass) . ' LIMIT ' . $limit));
    }

    public function deleteOtherPasses(string $type, string $language, string $pass): void
    {
        Sql::run('DELETE FROM `{prefix}findwell_state` WHERE ' . $this->scope($type, $language)
            . ' AND `pass` <> ' . Sql::text($pass));
    }

    public function remove(string $type, array $ids, ?array $languages = null): void
    {
        $where = $this->scope($type) . ' AND `id_object` IN (' . Sql::ids($ids) . ')';
        if ($languages !== null) {
            $where .= ' AND `id_lang` IN (' . implode(',', array_map(Sql::text(...), $languages ?: [''])) . ')';
        }
        Sql::run('DELETE FROM `{prefix}findwell_state` WHERE ' . $where);
    }

    public function drop(?string $type = null, ?string $language = null): void
    {
        Sql::run('DELETE FROM `{prefix}findwell_state` WHERE ' . $this->scope($type, $language));
    }

    private function scope(?string $type = null, ?string $language = null): string
    {
        return "`id_shop` = $this->shop"
            . ($type === null ? '' : ' AND `type` = ' . Sql::text($type))
            . ($language === null ? '' : ' AND `id_lang` = ' . Sql::text($language));
    }
}
