<?php

/**
 * Findwell: what the platform asks the database for, product by product, while it calculates prices, read for a page at once.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Closure;
use Combination;
use Group;
use GroupReduction;
use Product;
use ReflectionMethod;
use SpecificPrice;

if (!defined('_PS_VERSION_')) {
    exit;
}

/**
 * The calculation stays the platform's. Its caches are no interface, so they are filled only where the platform fills them
 * in the same way: that is seen on the first products of the first page, which it calculates by itself.
 */
final class PriceCaches
{
    /** A page with fewer products is not worth the comparison. */
    private const PRODUCTS_MIN = 10;
    private const COMPARED = 5;
    /** Class => cache and the method that reads it. */
    private const CACHES = [
        Product::class => ['_pricesLevel2', 'priceCalculation'],
        SpecificPrice::class => ['_couldHaveSpecificPriceCache', 'getSpecificPrice'],
        GroupReduction::class => ['reduction_cache', 'getValueForProduct'],
    ];

    /** Null until it was compared. */
    private ?bool $isUsable = null;

    /**
     * @param list<int> $groups whose prices are calculated
     */
    public function __construct(
        private readonly int $shop,
        private readonly array $groups
    ) {
    }

    /**
     * Fills the caches for the products; they are dropped with all others after each page.
     *
     * @param list<int> $ids
     * @param callable(int): mixed $calculate lets the platform calculate a price of a product
     */
    public function fill(array $ids, callable $calculate): void
    {
        if ($this->isUsable === false || count($ids) < self::PRODUCTS_MIN) {
            return;
        }
        $this->isUsable ??= self::areThere() && $this->agree(array_slice($ids, 0, self::COMPARED), $calculate);
        if ($this->isUsable) {
            foreach ($this->read($ids) as $class => $entries) {
                self::cache($class, $entries);
            }
        }
    }

    /** Whether this platform has the caches, and no override of a shop does its own in their place. */
    private static function areThere(): bool
    {
        foreach (self::CACHES as $class => [$cache, $method]) {
            if (!property_exists($class, $cache) || self::isOverridden($class, $method)) {
                return false;
            }
        }

        return true;
    }

    /** Whether the class replaces a method that its parent has, as the overrides of a shop do. */
    public static function isOverridden(string $class, string $method): bool
    {
        $parent = get_parent_class($class);

        return $parent !== false && method_exists($parent, $method) && (new ReflectionMethod($class, $method))->class === $class;
    }

    /**
     * Whether the platform keeps the same of these products. It asks for discounts only where the shop has any.
     *
     * @param list<int> $ids
     * @param callable(int): mixed $calculate
     */
    private function agree(array $ids, callable $calculate): bool
    {
        array_map($calculate, $ids);
        $read = $this->read($ids);
        foreach ($read as $class => $entries) {
            $kept = self::cache($class);
            foreach ($entries as $key => $entry) {
                $isSame = array_key_exists($key, $kept) ? self::sorted($kept[$key]) === self::sorted($entry) : $class !== Product::class;
                if (!$isSame) {
                    return false;
                }
            }
        }

        return $read !== [];
    }

    private static function sorted(mixed $entry): mixed
    {
        if (is_array($entry)) {
            ksort($entry);
        }

        return $entry;
    }

    /**
     * Reads a cache of the platform, which is nobody else's to see, or adds entries to it.
     *
     * @param array<int|string, mixed> $entries
     *
     * @return array<int|string, mixed>
     */
    private static function cache(string $class, array $entries = []): array
    {
        [$name] = self::CACHES[$class];

        return Closure::bind(static fn (): array => $class::${$name} = $entries + (array) $class::${$name}, null, $class)();
    }

    /**
     * @param list<int> $ids
     *
     * @return array<string, array<int|string, mixed>> class => entries of its cache; none if they could not be read, so that
     *     nothing passes for a product without discounts
     */
    private function read(array $ids): array
    {
        $in = Sql::ids($ids);
        $discounted = Sql::rowsUnlessFailed("SELECT DISTINCT `id_product` FROM `{prefix}specific_price` WHERE `id_product` IN ($in)");
        if ($discounted === null) {
            return [];
        }
        $discounted = array_map('intval', array_column($discounted, 'id_product'));
        $entries = [
            Product::class => $this->prices($in),
            SpecificPrice::class => array_fill_keys($discounted, true) + array_fill_keys($ids, false),
            GroupReduction::class => [],
        ];
        if (!Group::isFeatureActive()) {
            return $entries;
        }
        foreach ($ids as $id) {
            foreach ($this->groups as $group) {
                $entries[GroupReduction::class]["$id-$group"] = false;
            }
        }
        $rows = Sql::rowsUnlessFailed("SELECT `id_product`, `id_group`, `reduction` FROM `{prefix}product_group_reduction_cache`
            WHERE `id_product` IN ($in) AND `id_group` IN (" . Sql::ids($this->groups) . ')');
        if ($rows === null) {
            return [];
        }
        foreach ($rows as $row) {
            $entries[GroupReduction::class][$row['id_product'] . '-' . $row['id_group']] = $row['reduction'];
        }

        return $entries;
    }

    /**
     * @return array<string, array<int, array<string, mixed>>> product and shop => variant => prices without tax
     */
    private function prices(string $in): array
    {
        [$columns, $join] = Combination::isFeatureActive()
            ? [', pas.`id_product_attribute`, pas.`price` AS attribute_price, pas.`ecotax` AS attribute_ecotax, pas.`default_on`',
                "LEFT JOIN `{prefix}product_attribute_shop` pas ON pas.`id_product` = ps.`id_product` AND pas.`id_shop` = $this->shop"]
            : ['', ''];
        $rows = Sql::rows("SELECT ps.`id_product`, ps.`price`, ps.`ecotax`$columns FROM `{prefix}product_shop` ps $join
            WHERE ps.`id_shop` = $this->shop AND ps.`id_product` IN ($in)");
        $prices = [];
        foreach ($rows as $row) {
            $key = $row['id_product'] . '-' . $this->shop;
            $entry = [
                'price' => $row['price'],
                'ecotax' => $row['ecotax'],
                'attribute_price' => $row['attribute_price'] ?? null,
                'attribute_ecotax' => $row['attribute_ecotax'] ?? null,
            ];
            $prices[$key][(int) ($row['id_product_attribute'] ?? 0)] = $entry;
            if ((int) ($row['default_on'] ?? 0) === 1) {
                $prices[$key][0] = $entry;
            }
        }

        return $prices;
    }
}
