<?php

/**
 * Findwell: a product of a shop as a document of the service.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ProductDocument
{
    /** @var list<string> */
    private const CODES = ['reference', 'ean13', 'upc', 'mpn', 'isbn'];
    /** Field => key of a variant. */
    private const VARIANT_CODES = [
        'combinationReferences' => 'reference',
        'combinationEans' => 'ean13',
        'combinationUpcs' => 'upc',
        'combinationMpns' => 'mpn',
    ];

    /**
     * @param array<string, mixed> $product what does not depend on the language, and `prices`
     * @param array<string, mixed> $texts what does: name, descriptions, address, tags, categories, attributes, features
     *
     * @return array<string, mixed>|null null without a name in this language
     */
    public static function build(array $product, array $texts): ?array
    {
        $name = Text::plain($texts['name'] ?? null, 1000);
        if ($name === '') {
            return null;
        }
        $features = $texts['features'] ?? [];
        $document = ['id' => (string) $product['id'], 'name' => $name] + self::codes($product) + [
            'url' => Fields::address($texts['url'] ?? null),
            'image' => Fields::address($texts['image'] ?? null),
            'short_description' => Text::plain($texts['short_description'] ?? null),
            'description' => Text::plain($texts['description'] ?? null),
            'manufacturer' => Text::plain($product['manufacturer'] ?? null, 255),
            'manufacturerId' => Codes::one($product['manufacturerId'] ?? ''),
            'supplier' => Text::plain($product['supplier'] ?? null, 255),
            'categories' => $texts['categories'] ?? [],
            'categoryIds' => array_map('strval', $product['categoryIds'] ?? []),
            'tags' => Codes::many($texts['tags'] ?? []),
            'attributes' => self::unique($texts['attributes'] ?? [], ['groupId', 'id']),
            'features' => self::unique($features, ['featureId', 'id']),
            'condition' => $product['condition'] ?? null,
            'isNew' => (bool) ($product['isNew'] ?? false),
            'onSale' => (bool) ($product['onSale'] ?? false),
            'availableForOrder' => (bool) ($product['availableForOrder'] ?? true),
            'dateAdd' => $product['dateAdd'] ?? null,
            'rating' => $product['rating'] ?? null,
            'ratingCount' => $product['ratingCount'] ?? null,
            'sales_count' => (int) ($product['sales'] ?? 0),
            'feature_num' => self::featureNumber($features, $product['numericFeature'] ?? null),
            'currency' => $product['currency'],
            'accessGroups' => $product['accessGroups'] ?? null,
        ] + self::stock($product) + ($product['prices'] ?? []);

        return Fields::filled($document);
    }

    /**
     * @param array<string, mixed> $product
     *
     * @return array<string, mixed>
     */
    private static function codes(array $product): array
    {
        $codes = [];
        foreach (self::CODES as $name) {
            $codes[$name] = Codes::one($product[$name] ?? '');
        }
        foreach (self::VARIANT_CODES as $field => $key) {
            $codes[$field] = Codes::many(array_column($product['variants'] ?? [], $key));
        }

        return $codes;
    }

    /**
     * @param array<string, mixed> $product
     *
     * @return array<string, mixed>
     */
    private static function stock(array $product): array
    {
        if (!($product['stockManaged'] ?? true)) {
            return ['inStock' => true, 'outOfStock' => false];
        }
        $quantity = (int) ($product['quantity'] ?? 0);

        return [
            'inStock' => $quantity > 0,
            'quantity' => $quantity,
            'outOfStock' => $quantity <= 0 && !($product['backOrders'] ?? false),
        ];
    }

    /**
     * @param list<array<string, string>> $entries
     * @param list<string> $keys
     *
     * @return list<array<string, string>> without the second of two entries with the same keys
     */
    private static function unique(array $entries, array $keys): array
    {
        $unique = [];
        foreach ($entries as $entry) {
            $id = implode("\0", array_map(static fn (string $key): string => $entry[$key], $keys));
            $unique[$id] ??= $entry;
        }

        return array_values($unique);
    }

    /**
     * @param list<array<string, string>> $features
     */
    private static function featureNumber(array $features, int|string|null $chosen): float|int|null
    {
        if ($chosen === null || (int) $chosen === 0) {
            return null;
        }
        $texts = [];
        foreach ($features as $feature) {
            if ($feature['featureId'] === (string) $chosen) {
                $texts[] = $feature['value'];
            }
        }

        return FeatureNumber::first($texts);
    }
}
