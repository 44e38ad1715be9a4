<?php

/**
 * Findwell: a page of products as documents, in every language.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Configuration;
use Findwell\Core\Document\AccessGroups;
use Findwell\Core\Document\ProductDocument;
use Findwell\Core\Sync\Documents;
use Group;
use Module;
use StockAvailable;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ProductPage
{
    public function __construct(
        private readonly PriceBase $base,
        private readonly PriceMatrix $prices,
        private readonly CategoryTree $tree,
        private readonly Links $links,
        private readonly Choices $choices
    ) {
    }

    /**
     * @param list<int> $ids
     * @param array<string, int> $languages code => id
     */
    public function documents(array $ids, array $languages): Documents
    {
        $shop = $this->base->shop;
        $stock = StockAvailable::addSqlShopRestriction(null, $shop);
        $rows = new ProductRows($shop, $ids, array_values($languages), $stock, Module::isInstalled('productcomments'));
        $this->prices->remember($rows->products);
        $documents = new Documents();
        foreach ($rows->products as $id => $row) {
            $product = $this->product($row, $rows);
            foreach ($languages as $code => $language) {
                $documents->add((string) $code, $id, ProductDocument::build($product, $this->texts($row, $rows, $language)));
            }
        }

        return $documents;
    }

    /**
     * @param array<string, string|null> $row
     *
     * @return array<string, mixed>
     */
    private function product(array $row, ProductRows $rows): array
    {
        $id = (int) $row['id_product'];
        $variants = $rows->variants[$id] ?? [];
        $default = array_filter($variants, static fn (array $variant): bool => (bool) $variant['default_on']);
        $variant = (int) (reset($default)['id_product_attribute'] ?? $variants[0]['id_product_attribute'] ?? 0);
        $added = strtotime((string) $row['date_add']);
        $newDays = (int) Configuration::get('PS_NB_DAYS_NEW_PRODUCT', null, null, $this->base->shop);
        $categories = array_filter($rows->categories[$id] ?? [], $this->tree->isActive(...));

        return [
            'id' => $id,
            'manufacturer' => $row['manufacturer_active'] ? $row['manufacturer'] : null,
            'manufacturerId' => $row['manufacturer_active'] ? $row['id_manufacturer'] : '',
            'categoryIds' => $this->withAncestors($categories),
            'variants' => $variants,
            'isNew' => $added !== false && $added > time() - $newDays * 86400,
            'onSale' => (bool) $row['on_sale'],
            'availableForOrder' => (bool) $row['available_for_order'],
            'dateAdd' => $added > 0 ? gmdate('Y-m-d\TH:i:s\Z', $added) : null,
            'rating' => isset($rows->ratings[$id]) ? (float) $rows->ratings[$id]['grade'] : null,
            'ratingCount' => isset($rows->ratings[$id]) ? (int) $rows->ratings[$id]['number'] : null,
            'sales' => $rows->sales[$id] ?? 0,
            'numericFeature' => $this->choices->feature,
            'currency' => $this->base->currencyCode(),
            'accessGroups' => $this->groups($categories),
            'prices' => $this->prices->fields($id, $variant, (bool) $row['show_price']),
        ] + $this->stock($rows->stock[$id] ?? []) + $row;
    }

    /**
     * @param array<string, string|null> $stock
     *
     * @return array<string, mixed>
     */
    private function stock(array $stock): array
    {
        $orders = (int) ($stock['out_of_stock'] ?? 2);
        $default = (bool) Configuration::get('PS_ORDER_OUT_OF_STOCK', null, null, $this->base->shop);

        return [
            'stockManaged' => (bool) Configuration::get('PS_STOCK_MANAGEMENT', null, null, $this->base->shop),
            'quantity' => (int) ($stock['quantity'] ?? 0),
            'backOrders' => $orders === 2 ? $default : $orders === 1,
        ];
    }

    /**
     * @param array<int, int> $categories
     *
     * @return list<int>
     */
    private function withAncestors(array $categories): array
    {
        $ids = [];
        foreach ($categories as $id) {
            array_push($ids, ...$this->tree->line($id));
        }
        $ids = array_values(array_unique($ids));
        sort($ids);

        return $ids;
    }

    /**
     * @param array<int, int> $categories
     *
     * @return list<string>|null null if the shop does not use groups
     */
    private function groups(array $categories): ?array
    {
        if (!Group::isFeatureActive()) {
            return null;
        }
        $groups = array_merge([], ...array_map($this->tree->groups(...), array_values($categories)));

        return AccessGroups::of($groups, array_keys($this->base->groups()));
    }

    /**
     * @param array<string, string|null> $row
     *
     * @return array<string, mixed>
     */
    private function texts(array $row, ProductRows $rows, int $language): array
    {
        $id = (int) $row['id_product'];
        $texts = $rows->texts[$id][$language] ?? [];
        if (($texts['name'] ?? '') === '') {
            return [];
        }
        $default = (int) $row['id_category_default'];
        $rewrite = (string) $texts['link_rewrite'];

        return [
            'name' => $texts['name'],
            'url' => $this->links->product($row, $rewrite, $this->tree->rewrite($default, $language), $language),
            'image' => isset($rows->images[$id]) ? $this->links->image($rewrite, $rows->images[$id]) : null,
            'short_description' => $texts['description_short'],
            'description' => $texts['description'],
            'tags' => $rows->tags[$id][$language] ?? [],
            'categories' => $this->tree->entries($rows->categories[$id] ?? [], $default, $language),
            'attributes' => $rows->attributes[$id][$language] ?? [],
            'features' => $rows->features[$id][$language] ?? [],
        ];
    }
}
