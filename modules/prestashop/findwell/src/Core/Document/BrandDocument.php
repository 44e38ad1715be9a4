<?php

/**
 * Findwell: a brand as a document.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class BrandDocument
{
    /**
     * @param array<string, mixed> $brand
     *
     * @return array<string, mixed>|null null without a name
     */
    public static function build(array $brand): ?array
    {
        $name = Text::plain($brand['name'] ?? null, 1000);
        if ($name === '') {
            return null;
        }

        return Fields::filled([
            'id' => (string) $brand['id'],
            'type' => 'MANUFACTURER',
            'name' => $name,
            'description' => Text::plain($brand['description'] ?? null),
            'url' => Fields::address($brand['url'] ?? null),
            'image' => Fields::address($brand['image'] ?? null),
            'productCount' => (int) ($brand['productCount'] ?? 0),
        ]);
    }
}
