<?php

/**
 * Findwell: ids of products in a request of the shop's page.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Web;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ProductIds
{
    public const MAX = 48;
    private const TEXT_MAX = 4096;

    /**
     * @return array{0: list<int>, 1: list<int>} the first 48, without duplicates, and the ignored rest
     */
    public static function parse(mixed $text): array
    {
        if (!is_string($text)) {
            return [[], []];
        }
        $ids = [];
        foreach (explode(',', substr($text, 0, self::TEXT_MAX)) as $part) {
            if (preg_match('/^[1-9]\d{0,9}$/D', trim($part)) === 1) {
                $ids[(int) $part] = (int) $part;
            }
        }
        $ids = array_values($ids);

        return [array_slice($ids, 0, self::MAX), array_slice($ids, self::MAX)];
    }
}
