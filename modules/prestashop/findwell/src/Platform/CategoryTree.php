<?php

/**
 * Findwell: the categories of a shop, read once a slice.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class CategoryTree
{
    /** @var array<int, array{parent: int, active: bool, groups: list<int>}> */
    private array $nodes = [];
    /** @var array<int, array<int, array{name: string, rewrite: string}>> category, language */
    private array $texts = [];

    /**
     * @param int $home category of the shop's front page, which is in no path
     */
    public function __construct(int $shop, private readonly int $home)
    {
        $rows = Sql::rows("SELECT c.`id_category`, c.`id_parent`, c.`active` FROM `{prefix}category` c
            INNER JOIN `{prefix}category_shop` cs ON cs.`id_category` = c.`id_category` AND cs.`id_shop` = $shop");
        foreach ($rows as $row) {
            $this->nodes[(int) $row['id_category']] = [
                'parent' => (int) $row['id_parent'],
                'active' => (bool) $row['active'],
                'groups' => [],
            ];
        }
        foreach (Sql::rows('SELECT `id_category`, `id_group` FROM `{prefix}category_group`') as $row) {
            if (isset($this->nodes[(int) $row['id_category']])) {
                $this->nodes[(int) $row['id_category']]['groups'][] = (int) $row['id_group'];
            }
        }
        $texts = Sql::rows("SELECT `id_category`, `id_lang`, `name`, `link_rewrite` FROM `{prefix}category_lang` WHERE `id_shop` = $shop");
        foreach ($texts as $row) {
            $this->texts[(int) $row['id_category']][(int) $row['id_lang']] = [
                'name' => (string) $row['name'],
                'rewrite' => (string) $row['link_rewrite'],
            ];
        }
    }

    public function isActive(int $id): bool
    {
        return $this->nodes[$id]['active'] ?? false;
    }

    /**
     * @return list<int>
     */
    public function groups(int $id): array
    {
        return $this->nodes[$id]['groups'] ?? [];
    }

    public function rewrite(int $id, int $language): string
    {
        return $this->texts[$id][$language]['rewrite'] ?? '';
    }

    public function parent(int $id): int
    {
        return $this->nodes[$id]['parent'] ?? 0;
    }

    /**
     * @return list<int> ids from the top below home down to the category; empty for home and what is not below it
     */
    public function line(int $id): array
    {
        $line = [];
        while (isset($this->nodes[$id]) && $id !== $this->home && !in_array($id, $line, true)) {
            array_unshift($line, $id);
            $id = $this->nodes[$id]['parent'];
        }

        return $id === $this->home ? $line : [];
    }

    /**
     * @return list<string> names from the top below home down to the category
     */
    public function path(int $id, int $language): array
    {
        $names = array_map(fn (int $of): string => $this->texts[$of][$language]['name'] ?? '', $this->line($id));

        return array_values(array_filter($names, static fn (string $name): bool => $name !== ''));
    }

    /**
     * @param list<int> $ids categories of a product
     *
     * @return list<array<string, mixed>>
     */
    public function entries(array $ids, int $default, int $language): array
    {
        $entries = [];
        foreach ($ids as $id) {
            $path = $this->isActive($id) ? $this->path($id, $language) : [];
            $name = $this->texts[$id][$language]['name'] ?? '';
            if ($path !== [] && $name !== '') {
                $entries[] = ['id' => (string) $id, 'name' => $name, 'path' => $path]
                    + ($id === $default ? ['default' => true] : []);
            }
        }

        return $entries;
    }
}
