<?php

/**
 * Findwell: a generated catalogue, built into documents as a real shop's is.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\contract\support;

use Findwell\Core\Document\AccessGroups;
use Findwell\Core\Document\BrandDocument;
use Findwell\Core\Document\CategoryDocument;
use Findwell\Core\Document\PageDocument;
use Findwell\Core\Document\Price;
use Findwell\Core\Document\PriceContext;
use Findwell\Core\Document\PriceContexts;
use Findwell\Core\Document\Prices;
use Findwell\Core\Document\ProductDocument;
use Findwell\Core\Sync\Catalog;
use Findwell\Core\Sync\Documents;
use RuntimeException;

final class GeneratedCatalog implements Catalog
{
    /** @var array<string, array<int, string>> type, id => word that is part of the name */
    public array $words = [];
    /** @var array<int, true> products without a name */
    public array $nameless = [];
    public PriceContexts $contexts;
    /** @var int|null pages until the process is killed */
    public ?int $killAfter = null;

    public function __construct(int $products)
    {
        $this->contexts = new PriceContexts();
        foreach (['products' => $products, 'categories' => 12, 'brands' => 7, 'pages' => 5] as $type => $number) {
            $this->words[$type] = array_fill_keys(range(1, $number), 'first');
        }
    }

    public function pageIds(string $type, int $after, int $limit): array
    {
        $ids = array_filter(array_keys($this->words[$type]), static fn (int $id): bool => $id > $after);

        return array_slice(array_values($ids), 0, $limit);
    }

    public function documents(string $type, array $ids, array $languages): Documents
    {
        $documents = new Documents();
        foreach ($ids as $id) {
            foreach (isset($this->words[$type][$id]) ? $languages : [] as $language) {
                $documents->add($language, $id, $this->document($type, $id, $language));
            }
        }

        return $documents;
    }

    private function document(string $type, int $id, string $language): ?array
    {
        $word = $this->words[$type][$id];
        $name = ['es' => 'Camisa', 'en' => 'Shirt'][$language] . " $word number$id";
        $base = ['id' => $id, 'name' => $name, 'url' => "https://shop.example/$language/$id", 'description' => "<p>Text $id</p>"];

        return match ($type) {
            'products' => $this->product($id, isset($this->nameless[$id]) ? ['name' => ''] + $base : $base),
            'categories' => CategoryDocument::build($base + ['path' => ['Home', $name], 'accessGroups' => ['1', '4']]),
            'brands' => BrandDocument::build($base),
            'pages' => PageDocument::build(['title' => $name, 'content' => "<h1>$name</h1>", 'categoryName' => 'Home'] + $base),
        };
    }

    private function product(int $id, array $texts): ?array
    {
        $price = static fn (PriceContext $context): Price => new Price(
            round(10 + $id / 100 - ($context->group === null ? 0 : 5) + ($context->currency === null ? 0 : 100), 2),
            round(8 + $id / 100, 2),
            round(20 + $id / 100 + ($context->currency === null ? 0 : 100), 2),
            round(18 + $id / 100, 2)
        );

        return ProductDocument::build([
            'id' => $id,
            'currency' => 'EUR',
            'reference' => sprintf('%05d', $id),
            'ean13' => sprintf('84%011d', $id),
            'variants' => [['reference' => "V-0$id", 'ean13' => '', 'upc' => '', 'mpn' => '']],
            'manufacturer' => 'Brand ' . ($id % 7),
            'quantity' => $id % 3,
            'categoryIds' => [2, 3],
            'dateAdd' => '2026-01-01T00:00:00Z',
            'accessGroups' => AccessGroups::of($id % 10 === 0 ? [4] : [1, 4], [1, 4]),
            'prices' => Prices::fields($this->contexts, $price),
            'numericFeature' => 1,
        ], $texts + [
            'tags' => ['summer'],
            'categories' => [['id' => '3', 'name' => 'Clothes', 'path' => ['Clothes'], 'default' => true]],
            'attributes' => [['groupId' => '1', 'group' => 'Size', 'id' => '2', 'value' => 'M']],
            'features' => [['featureId' => '1', 'feature' => 'Width', 'id' => (string) $id, 'value' => ($id % 50) . ',5 cm']],
        ]);
    }

    public function flushCaches(): void
    {
        if ($this->killAfter !== null && --$this->killAfter < 0) {
            $this->killAfter = null;
            throw new RuntimeException('killed');
        }
    }
}
