<?php

/**
 * Findwell: to whom the shop shows prices: catalogue mode hides all of them, a customer group those of its members.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Configuration;
use Group;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ShownPrices
{
    public static function inShop(int $shop): bool
    {
        return !(bool) Configuration::get('PS_CATALOG_MODE', null, null, $shop)
            || (bool) Configuration::get('PS_CATALOG_MODE_WITH_PRICES', null, null, $shop);
    }

    /** As the platform decides for the product lists of this visitor. */
    public static function toVisitor(): bool
    {
        return Configuration::showPrices()
            && (!Configuration::isCatalogMode() || (bool) Configuration::get('PS_CATALOG_MODE_WITH_PRICES'));
    }

    /**
     * @param array<string, mixed>|null $group row of the group
     */
    public static function toGroup(?array $group): bool
    {
        return !Group::isFeatureActive() || (bool) ($group['show_prices'] ?? false);
    }
}
