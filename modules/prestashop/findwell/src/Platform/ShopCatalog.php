<?php

/**
 * Findwell: the catalogue of one shop, as the core walks over it.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Cache;
use Configuration;
use Findwell\Core\Sync\Catalog;
use Findwell\Core\Sync\Declarations;
use Findwell\Core\Sync\Documents;
use GroupReduction;
use ImageType;
use Product;
use Shop;
use SpecificPrice;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ShopCatalog implements Catalog
{
    private ?CategoryTree $tree = null;
    private ?ProductPage $products = null;
    private ?OtherPages $others = null;

    public function __construct(
        private readonly PriceBase $base,
        private readonly Choices $choices
    ) {
    }

    public function pageIds(string $type, int $after, int $limit): array
    {
        return ShopScope::run($this->base->shop, function () use ($type, $after, $limit): array {
            $sql = $type === 'products'
                ? 'SELECT ps.`id_product` ' . ProductRows::scope($this->base->shop) . ' AND ps.`id_product`'
                : $this->others()->idsSql($type);

            return array_map('intval', Sql::column("$sql > $after ORDER BY 1 LIMIT $limit"));
        });
    }

    public function documents(string $type, array $ids, array $languages): Documents
    {
        $languageIds = array_intersect_key($this->base->languages->ids(), array_flip($languages));
        // What the platform has kept may be older than the change for which these are sent again.
        $this->flushCaches();

        return ShopScope::run($this->base->shop, fn (): Documents => $type === 'products'
            ? $this->products()->documents($ids, $languageIds)
            : $this->others()->documents($type, $ids, $languageIds));
    }

    public function flushCaches(): void
    {
        Product::resetStaticCache();
        SpecificPrice::flushCache();
        GroupReduction::resetStaticCache();
        Cache::clean('*');
    }

    private function home(): int
    {
        return (int) (new Shop($this->base->shop))->getCategory();
    }

    private function tree(): CategoryTree
    {
        return $this->tree ??= new CategoryTree($this->base->shop, $this->home());
    }

    private function links(): Links
    {
        $type = $this->choices->image;

        return new Links($this->base->shop, $type !== '' ? $type : ImageType::getFormattedName('home'));
    }

    private function products(): ProductPage
    {
        return $this->products ??= new ProductPage(
            $this->base,
            new PriceMatrix($this->base, Declarations::contexts(Settings::of($this->base->shop))),
            $this->tree(),
            $this->links(),
            $this->choices
        );
    }

    private function others(): OtherPages
    {
        return $this->others ??= new OtherPages($this->base, $this->tree(), $this->links(), $this->home());
    }

    /** What was declared has changed, and with it the prices. */
    public function forgetDeclarations(): void
    {
        $this->products = null;
    }
}
