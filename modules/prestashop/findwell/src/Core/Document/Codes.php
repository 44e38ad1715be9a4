<?php

/**
 * Findwell: codes of products and variants, which are text whatever they look like.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Codes
{
    /** Trimmed, otherwise as typed; null if nothing is left. */
    public static function one(mixed $code): ?string
    {
        $code = trim(mb_scrub((string) $code, 'UTF-8'));

        return $code === '' ? null : $code;
    }

    /**
     * @param iterable<mixed> $codes
     *
     * @return list<string> without duplicates, in the given order
     */
    public static function many(iterable $codes): array
    {
        $list = [];
        foreach ($codes as $code) {
            $code = self::one($code);
            if ($code !== null && !in_array($code, $list, true)) {
                $list[] = $code;
            }
        }

        return $list;
    }
}
