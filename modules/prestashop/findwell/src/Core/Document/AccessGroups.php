<?php

/**
 * Findwell: which groups may see a document.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class AccessGroups
{
    public const NOBODY = ['none'];

    /**
     * @param iterable<int|string> $allowed group ids, of any of a product's categories
     * @param list<int> $existing ids of groups that exist
     *
     * @return list<string> sorted by number; `none` if nobody may see it
     */
    public static function of(iterable $allowed, array $existing): array
    {
        $ids = [];
        foreach ($allowed as $id) {
            $id = (int) $id;
            if ($id > 0 && in_array($id, $existing, true)) {
                $ids[$id] = true;
            }
        }
        ksort($ids);

        return $ids === [] ? self::NOBODY : array_map('strval', array_keys($ids));
    }
}
