<?php

/**
 * Findwell: pages of categories, brands and content as documents, in every language.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Document\AccessGroups;
use Findwell\Core\Document\BrandDocument;
use Findwell\Core\Document\CategoryDocument;
use Findwell\Core\Document\PageDocument;
use Findwell\Core\Sync\Documents;
use Group;
use Tools;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class OtherPages
{
    public function __construct(
        private readonly PriceBase $base,
        private readonly CategoryTree $tree,
        private readonly Links $links,
        private readonly int $home
    ) {
    }

    /** Statement of the ids in scope; `{and}` is where a condition on `id` goes. */
    public function idsSql(string $type): string
    {
        $shop = $this->base->shop;

        return match ($type) {
            'categories' => "SELECT c.`id_category` AS id FROM `{prefix}category` c
                INNER JOIN `{prefix}category_shop` cs ON cs.`id_category` = c.`id_category` AND cs.`id_shop` = $shop
                INNER JOIN `{prefix}category` h ON h.`id_category` = $this->home AND c.`nleft` > h.`nleft` AND c.`nright` < h.`nright`
                WHERE c.`active` = 1 AND c.`id_category`",
            'brands' => "SELECT m.`id_manufacturer` AS id FROM `{prefix}manufacturer` m
                INNER JOIN `{prefix}manufacturer_shop` ms ON ms.`id_manufacturer` = m.`id_manufacturer` AND ms.`id_shop` = $shop
                WHERE m.`active` = 1 AND m.`id_manufacturer`",
            'pages' => "SELECT c.`id_cms` AS id FROM `{prefix}cms` c
                INNER JOIN `{prefix}cms_shop` cs ON cs.`id_cms` = c.`id_cms` AND cs.`id_shop` = $shop
                WHERE c.`active` = 1 AND c.`id_cms`",
        };
    }

    /**
     * @param list<int> $ids
     * @param array<string, int> $languages code => id
     */
    public function documents(string $type, array $ids, array $languages): Documents
    {
        $found = array_map('intval', Sql::column($this->idsSql($type) . ' IN (' . Sql::ids($ids) . ')'));
        $rows = match ($type) {
            'categories' => $this->categories($found, $languages),
            'brands' => $this->brands($found, $languages),
            'pages' => $this->pages($found, $languages),
        };
        $documents = new Documents();
        foreach ($found as $id) {
            foreach ($languages as $code => $language) {
                $documents->add((string) $code, $id, $rows[$id][$language] ?? null);
            }
        }

        return $documents;
    }

    /**
     * @param list<int> $ids
     * @param array<string, int> $languages
     *
     * @return array<int, array<int, array<string, mixed>|null>>
     */
    private function categories(array $ids, array $languages): array
    {
        [$in, $shop] = [Sql::ids($ids), $this->base->shop];
        $rows = Sql::rows("SELECT c.`id_category`, c.`level_depth`, cs.`position`, l.`id_lang`, l.`name`, l.`description`, l.`link_rewrite`
            FROM `{prefix}category` c
            INNER JOIN `{prefix}category_shop` cs ON cs.`id_category` = c.`id_category` AND cs.`id_shop` = $shop
            INNER JOIN `{prefix}category_lang` l ON l.`id_category` = c.`id_category` AND l.`id_shop` = $shop
            WHERE c.`id_category` IN ($in) AND l.`id_lang` IN (" . Sql::ids(array_values($languages)) . ')');
        $counts = $this->counts("SELECT cp.`id_category` AS id, COUNT(*) AS number FROM `{prefix}category_product` cp
            INNER JOIN `{prefix}product_shop` ps ON ps.`id_product` = cp.`id_product` AND ps.`id_shop` = $shop AND ps.`active` = 1
                AND ps.`visibility` IN ('both', 'catalog')
            WHERE cp.`id_category` IN ($in) GROUP BY cp.`id_category`");
        $documents = [];
        foreach ($rows as $row) {
            [$id, $language, $name] = [(int) $row['id_category'], (int) $row['id_lang'], (string) $row['name']];
            $groups = AccessGroups::of($this->tree->groups($id), array_keys($this->base->groups()));
            $parent = $this->tree->parent($id);
            $documents[$id][$language] = CategoryDocument::build([
                'id' => $id,
                'name' => $name,
                'description' => $row['description'],
                'url' => $this->links->category($id, (string) $row['link_rewrite'], $name, $language),
                'parentId' => $parent === $this->home ? '' : (string) $parent,
                'path' => $this->tree->path($id, $language),
                'level' => $row['level_depth'],
                'position' => $row['position'],
                'productCount' => $counts[$id] ?? 0,
                'accessGroups' => Group::isFeatureActive() ? $groups : null,
            ]);
        }

        return $documents;
    }

    /**
     * @param list<int> $ids
     * @param array<string, int> $languages
     *
     * @return array<int, array<int, array<string, mixed>|null>>
     */
    private function brands(array $ids, array $languages): array
    {
        [$in, $shop] = [Sql::ids($ids), $this->base->shop];
        $rows = Sql::rows("SELECT m.`id_manufacturer`, m.`name`, l.`id_lang`, l.`description`, l.`short_description`
            FROM `{prefix}manufacturer` m
            INNER JOIN `{prefix}manufacturer_lang` l ON l.`id_manufacturer` = m.`id_manufacturer`
            WHERE m.`id_manufacturer` IN ($in) AND l.`id_lang` IN (" . Sql::ids(array_values($languages)) . ')');
        $counts = $this->counts("SELECT p.`id_manufacturer` AS id, COUNT(*) AS number FROM `{prefix}product` p
            INNER JOIN `{prefix}product_shop` ps ON ps.`id_product` = p.`id_product` AND ps.`id_shop` = $shop AND ps.`active` = 1
            WHERE p.`id_manufacturer` IN ($in) GROUP BY p.`id_manufacturer`");
        $documents = [];
        foreach ($rows as $row) {
            [$id, $language, $name] = [(int) $row['id_manufacturer'], (int) $row['id_lang'], (string) $row['name']];
            $documents[$id][$language] = BrandDocument::build([
                'id' => $id,
                'name' => $name,
                'description' => $row['description'] ?: $row['short_description'],
                'url' => $this->links->brand($id, Tools::str2url($name), $name, $language),
                'productCount' => $counts[$id] ?? 0,
            ]);
        }

        return $documents;
    }

    /**
     * @param list<int> $ids
     * @param array<string, int> $languages
     *
     * @return array<int, array<int, array<string, mixed>|null>>
     */
    private function pages(array $ids, array $languages): array
    {
        [$in, $shop] = [Sql::ids($ids), $this->base->shop];
        $rows = Sql::rows("SELECT c.`id_cms`, l.`id_lang`, l.`meta_title`, l.`content`, l.`link_rewrite`, cl.`name` AS category
            FROM `{prefix}cms` c
            INNER JOIN `{prefix}cms_lang` l ON l.`id_cms` = c.`id_cms` AND l.`id_shop` = $shop
            LEFT JOIN `{prefix}cms_category_lang` cl ON cl.`id_cms_category` = c.`id_cms_category` AND cl.`id_lang` = l.`id_lang`
                AND cl.`id_shop` = $shop
            WHERE c.`id_cms` IN ($in) AND l.`id_lang` IN (" . Sql::ids(array_values($languages)) . ')');
        $documents = [];
        foreach ($rows as $row) {
            [$id, $language, $title] = [(int) $row['id_cms'], (int) $row['id_lang'], (string) $row['meta_title']];
            $documents[$id][$language] = PageDocument::build([
                'id' => $id,
                'title' => $title,
                'content' => $row['content'],
                'url' => $this->links->page($id, (string) $row['link_rewrite'], $title, $language),
                'categoryName' => $row['category'],
            ]);
        }

        return $documents;
    }

    /**
     * @return array<int, int>
     */
    private function counts(string $sql): array
    {
        return array_map('intval', array_column(Sql::rows($sql), 'number', 'id'));
    }
}
