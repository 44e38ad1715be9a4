<?php

/**
 * Findwell: the few values that a page of the store needs, which the platform has loaded anyway.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Configuration;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PageSettings
{
    public const NAME = 'FINDWELL_PAGE';

    /** Writes them if they changed. */
    public static function save(ShopSync $sync): void
    {
        $connection = $sync->connection;
        $value = json_encode([
            'shop' => $sync->shop,
            'key' => $connection->brokenReason() === null && !$connection->isPagesKeyRejected() ? $connection->publicKey() : '',
            'base' => $connection->baseAddress(),
            'box' => $sync->choices->box,
            'prices' => $sync->choices->livePrices,
            'cards' => $sync->choices->cards,
            'languages' => array_flip($sync->base()->languages->ids()),
        ], JSON_UNESCAPED_SLASHES);
        if (Configuration::get(self::NAME, null, null, $sync->shop) !== $value) {
            Configuration::updateValue(self::NAME, $value, false, null, $sync->shop);
        }
    }

    /**
     * @return array<string, mixed>|null null if the shop has none of its own, or no public key
     */
    public static function load(int $shop): ?array
    {
        $value = json_decode((string) Configuration::get(self::NAME, null, null, $shop), true);
        // A shop without a value inherits that of another one, whose key is not for its pages.
        $isOfShop = is_array($value) && ($value['shop'] ?? 0) === $shop;

        return $isOfShop && ($value['key'] ?? '') !== '' ? $value : null;
    }

    public static function clear(int $shop): void
    {
        Configuration::updateValue(self::NAME, '', false, null, $shop);
    }

    public static function remove(): bool
    {
        return Configuration::deleteByName(self::NAME);
    }
}
