<?php

/**
 * Findwell: what a page of products needs from the database: a fixed number of statements, however many products.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ProductRows
{
    /** @var array<int, array<string, string|null>> product => row */
    public array $products = [];
    /** @var array<int, array<int, array<string, string|null>>> product, language => texts */
    public array $texts = [];
    /** @var array<int, array<int, list<string>>> product, language => tags */
    public array $tags = [];
    /** @var array<int, array<int, list<array<string, string>>>> product, language => features */
    public array $features = [];
    /** @var array<int, array<int, list<array<string, string>>>> product, language => attributes */
    public array $attributes = [];
    /** @var array<int, list<array<string, string|null>>> product => variants */
    public array $variants = [];
    /** @var array<int, list<int>> product => categories */
    public array $categories = [];
    /** @var array<int, int> product => image */
    public array $images = [];
    /** @var array<int, array<string, string|null>> product => stock */
    public array $stock = [];
    /** @var array<int, int> product => units sold */
    public array $sales = [];
    /** @var array<int, array<string, string|null>> product => rating */
    public array $ratings = [];

    /**
     * @param list<int> $ids
     * @param list<int> $languages
     * @param string $stockCondition which rows of stock are those of the shop
     */
    public function __construct(int $shop, array $ids, array $languages, string $stockCondition, bool $hasRatings)
    {
        $this->readProducts($shop, $ids);
        $found = array_keys($this->products);
        if ($found === []) {
            return;
        }
        $in = Sql::ids($found);
        $inLanguages = Sql::ids($languages);
        $this->readTexts($shop, $in, $inLanguages);
        $this->readFeatures($shop, $in, $inLanguages);
        $this->readVariants($shop, $in, $inLanguages);
        $this->readImages($shop, $in);
        $categories = Sql::rows("SELECT `id_product`, `id_category` FROM `{prefix}category_product` WHERE `id_product` IN ($in)
            ORDER BY `id_product`, `id_category`");
        foreach ($categories as $row) {
            $this->categories[(int) $row['id_product']][] = (int) $row['id_category'];
        }
        $stock = Sql::rows("SELECT `id_product`, `quantity`, `out_of_stock` FROM `{prefix}stock_available`
            WHERE `id_product_attribute` = 0 AND `id_product` IN ($in) $stockCondition");
        $this->stock = array_column($stock, null, 'id_product');
        $sales = Sql::rows("SELECT od.`product_id`, SUM(od.`product_quantity`) AS units FROM `{prefix}order_detail` od
            INNER JOIN `{prefix}orders` o ON o.`id_order` = od.`id_order` AND o.`valid` = 1 AND o.`id_shop` = $shop
            WHERE od.`product_id` IN ($in) GROUP BY od.`product_id`");
        $this->sales = array_map('intval', array_column($sales, 'units', 'product_id'));
        if ($hasRatings) {
            $ratings = Sql::rows("SELECT `id_product`, ROUND(AVG(`grade`), 2) AS grade, COUNT(*) AS number FROM `{prefix}product_comment`
                WHERE `validate` = 1 AND `deleted` = 0 AND `id_product` IN ($in) GROUP BY `id_product`");
            $this->ratings = array_column($ratings, null, 'id_product');
        }
    }

    /**
     * Which products are searched: those that the shop's own search has.
     *
     * The condition on categories is no EXISTS, which the database answers by reading the categories of all products. The order
     * of tables is given, and `state` has no index to the database, because it would read every product for each page by it.
     */
    public static function scope(int $shop): string
    {
        return "FROM `{prefix}product_shop` ps STRAIGHT_JOIN `{prefix}product` p ON p.`id_product` = ps.`id_product`
            WHERE ps.`id_shop` = $shop AND ps.`active` = 1 AND ps.`visibility` IN ('both', 'search') AND p.`state` + 0 = 1
            AND (SELECT 1 FROM `{prefix}category_product` cp
                INNER JOIN `{prefix}category` c ON c.`id_category` = cp.`id_category` AND c.`active` = 1
                INNER JOIN `{prefix}category_shop` cs ON cs.`id_category` = c.`id_category` AND cs.`id_shop` = $shop
                WHERE cp.`id_product` = ps.`id_product` LIMIT 1) = 1";
    }

    /**
     * @param list<int> $ids
     */
    private function readProducts(int $shop, array $ids): void
    {
        $scope = self::scope($shop);
        $rows = Sql::rows("SELECT s.*, m.`name` AS manufacturer, m.`active` AS manufacturer_active, u.`name` AS supplier
            FROM (SELECT p.`id_product`, p.`reference`, p.`ean13`, p.`upc`, p.`mpn`, p.`isbn`, p.`id_manufacturer`, p.`id_supplier`,
                ps.`id_category_default`, ps.`on_sale`, ps.`condition`, ps.`available_for_order`, ps.`show_price`, ps.`date_add`, ps.`id_tax_rules_group`
                $scope AND ps.`id_product` IN (" . Sql::ids($ids) . ")) s
            LEFT JOIN `{prefix}manufacturer` m ON m.`id_manufacturer` = s.`id_manufacturer`
            LEFT JOIN `{prefix}supplier` u ON u.`id_supplier` = s.`id_supplier`");
        $this->products = array_column($rows, null, 'id_product');
    }

    private function readTexts(int $shop, string $in, string $languages): void
    {
        $texts = Sql::rows("SELECT `id_product`, `id_lang`, `name`, `description`, `description_short`, `link_rewrite` FROM `{prefix}product_lang`
            WHERE `id_shop` = $shop AND `id_lang` IN ($languages) AND `id_product` IN ($in)");
        foreach ($texts as $row) {
            $this->texts[(int) $row['id_product']][(int) $row['id_lang']] = $row;
        }
        $tags = Sql::rows("SELECT pt.`id_product`, t.`id_lang`, t.`name` FROM `{prefix}product_tag` pt
            INNER JOIN `{prefix}tag` t ON t.`id_tag` = pt.`id_tag` AND t.`id_lang` IN ($languages)
            WHERE pt.`id_product` IN ($in) ORDER BY t.`name`");
        foreach ($tags as $row) {
            $this->tags[(int) $row['id_product']][(int) $row['id_lang']][] = (string) $row['name'];
        }
    }

    private function readFeatures(int $shop, string $in, string $languages): void
    {
        // The order of tables is given: the database would begin with the few features, and read what all products have of them.
        $rows = Sql::rows("SELECT STRAIGHT_JOIN fp.`id_product`, fl.`id_lang`, fp.`id_feature`, fl.`name`, fp.`id_feature_value`, vl.`value`
            FROM `{prefix}feature_product` fp
            INNER JOIN `{prefix}feature` f ON f.`id_feature` = fp.`id_feature`
            INNER JOIN `{prefix}feature_shop` fs ON fs.`id_feature` = f.`id_feature` AND fs.`id_shop` = $shop
            INNER JOIN `{prefix}feature_lang` fl ON fl.`id_feature` = fp.`id_feature` AND fl.`id_lang` IN ($languages)
            INNER JOIN `{prefix}feature_value_lang` vl ON vl.`id_feature_value` = fp.`id_feature_value` AND vl.`id_lang` = fl.`id_lang`
            WHERE fp.`id_product` IN ($in) ORDER BY f.`position`, fp.`id_feature`, fp.`id_feature_value`");
        foreach ($rows as $row) {
            $this->features[(int) $row['id_product']][(int) $row['id_lang']][] = [
                'featureId' => (string) $row['id_feature'],
                'feature' => (string) $row['name'],
                'id' => (string) $row['id_feature_value'],
                'value' => (string) $row['value'],
            ];
        }
    }

    private function readVariants(int $shop, string $in, string $languages): void
    {
        $variants = Sql::rows("SELECT pas.`id_product`, pas.`id_product_attribute`, pas.`default_on`, pa.`reference`, pa.`ean13`, pa.`upc`, pa.`mpn`
            FROM `{prefix}product_attribute_shop` pas
            INNER JOIN `{prefix}product_attribute` pa ON pa.`id_product_attribute` = pas.`id_product_attribute`
            WHERE pas.`id_shop` = $shop AND pas.`id_product` IN ($in) ORDER BY pas.`id_product_attribute`");
        foreach ($variants as $row) {
            $this->variants[(int) $row['id_product']][] = $row;
        }
        if ($variants === []) {
            return;
        }
        // As with features.
        $attributes = Sql::rows("SELECT STRAIGHT_JOIN DISTINCT pas.`id_product`, al.`id_lang`, g.`position` AS group_position, a.`position`, a.`id_attribute_group`,
                gl.`public_name`, a.`id_attribute`, al.`name`
            FROM `{prefix}product_attribute_shop` pas
            INNER JOIN `{prefix}product_attribute_combination` pac ON pac.`id_product_attribute` = pas.`id_product_attribute`
            INNER JOIN `{prefix}attribute` a ON a.`id_attribute` = pac.`id_attribute`
            INNER JOIN `{prefix}attribute_lang` al ON al.`id_attribute` = a.`id_attribute` AND al.`id_lang` IN ($languages)
            INNER JOIN `{prefix}attribute_group` g ON g.`id_attribute_group` = a.`id_attribute_group`
            INNER JOIN `{prefix}attribute_group_lang` gl ON gl.`id_attribute_group` = g.`id_attribute_group` AND gl.`id_lang` = al.`id_lang`
            WHERE pas.`id_shop` = $shop AND pas.`id_product` IN ($in)
            ORDER BY g.`position`, a.`id_attribute_group`, a.`position`, a.`id_attribute`");
        foreach ($attributes as $row) {
            $this->attributes[(int) $row['id_product']][(int) $row['id_lang']][] = [
                'groupId' => (string) $row['id_attribute_group'],
                'group' => (string) $row['public_name'],
                'id' => (string) $row['id_attribute'],
                'value' => (string) $row['name'],
            ];
        }
    }

    private function readImages(int $shop, string $in): void
    {
        $rows = Sql::rows("SELECT s.`id_product`, s.`id_image` FROM `{prefix}image_shop` s
            INNER JOIN `{prefix}image` i ON i.`id_image` = s.`id_image`
            WHERE s.`id_shop` = $shop AND s.`id_product` IN ($in) ORDER BY IFNULL(s.`cover`, 0) DESC, i.`position`, i.`id_image`");
        foreach ($rows as $row) {
            $this->images[(int) $row['id_product']] ??= (int) $row['id_image'];
        }
    }
}
