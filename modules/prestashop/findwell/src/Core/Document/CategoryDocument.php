<?php

/**
 * Findwell: a category as a document.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class CategoryDocument
{
    /**
     * @param array<string, mixed> $category
     *
     * @return array<string, mixed>|null null without a name
     */
    public static function build(array $category): ?array
    {
        $name = Text::plain($category['name'] ?? null, 1000);
        if ($name === '') {
            return null;
        }

        return Fields::filled([
            'id' => (string) $category['id'],
            'name' => $name,
            'description' => Text::plain($category['description'] ?? null),
            'url' => Fields::address($category['url'] ?? null),
            'image' => Fields::address($category['image'] ?? null),
            'parentId' => Codes::one($category['parentId'] ?? ''),
            'path' => $category['path'] ?? [],
            'level' => (int) ($category['level'] ?? 0),
            'position' => (int) ($category['position'] ?? 0),
            'productCount' => (int) ($category['productCount'] ?? 0),
            'accessGroups' => $category['accessGroups'] ?? null,
        ]);
    }
}
