<?php

/**
 * Findwell: the fingerprint of a document: equal content has equal bytes, in whatever order it was built.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

use Findwell\Core\Service\Json;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class CanonicalHash
{
    /** Fields that change without the content. */
    private const LEFT_OUT = ['rev' => true, 'hash' => true];

    /**
     * @param array<string, mixed> $document
     *
     * @return string `sha1:` and 40 hexadecimal digits
     */
    public static function of(array $document): string
    {
        return 'sha1:' . sha1(Json::encode(self::sorted(array_diff_key($document, self::LEFT_OUT))));
    }

    /** Sorts the keys of objects by their bytes; the order of lists is content. */
    private static function sorted(mixed $value): mixed
    {
        if (is_float($value) && floor($value) === $value && abs($value) < 1e15) {
            return (int) $value;
        }
        if (!is_array($value)) {
            return $value;
        }
        if (!array_is_list($value)) {
            ksort($value, SORT_STRING);
        }

        return array_map(self::sorted(...), $value);
    }
}
