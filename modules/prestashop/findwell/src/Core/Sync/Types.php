<?php

/**
 * Findwell: the four types of documents, and what cron calls them.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Types
{
    public const ALL = ['products', 'categories', 'pages', 'brands'];
    /** Name in the cron address => type, in the order in which they are synced. */
    public const BY_CRON_NAME = [
        'products' => 'products',
        'categories' => 'categories',
        'cms' => 'pages',
        'manufacturers' => 'brands',
    ];

    public static function cronName(string $type): string
    {
        return (string) array_search($type, self::BY_CRON_NAME, true);
    }
}
