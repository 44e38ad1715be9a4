<?php

/**
 * Findwell: a page of content as a document.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PageDocument
{
    /**
     * @param array<string, mixed> $page
     *
     * @return array<string, mixed>|null null without a title
     */
    public static function build(array $page): ?array
    {
        $title = Text::plain($page['title'] ?? null, 1000);
        if ($title === '') {
            return null;
        }

        return Fields::filled([
            'id' => (string) $page['id'],
            'title' => $title,
            'content' => Text::plain($page['content'] ?? null),
            'url' => Fields::address($page['url'] ?? null),
            'categoryName' => Text::plain($page['categoryName'] ?? null, 255),
        ]);
    }
}
