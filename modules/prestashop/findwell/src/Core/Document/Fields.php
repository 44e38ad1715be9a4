<?php

/**
 * Findwell: what all documents share: empty values are left out, addresses are absolute.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Fields
{
    /**
     * Leaves out null, empty text and empty lists; 0 and false are values.
     *
     * @param array<string, mixed> $fields
     *
     * @return array<string, mixed>
     */
    public static function filled(array $fields): array
    {
        return array_filter(
            $fields,
            static fn (mixed $value): bool => $value !== null && $value !== '' && $value !== []
        );
    }

    /** The address if it is absolute over http or https, else null. */
    public static function address(?string $address): ?string
    {
        if ($address === null || strlen($address) > 2048) {
            return null;
        }

        return preg_match('#^https?://[^\s]+$#i', $address) === 1 ? $address : null;
    }
}
