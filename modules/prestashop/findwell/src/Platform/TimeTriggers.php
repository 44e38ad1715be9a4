<?php

/**
 * Findwell: products whose prices or novelty change by the clock alone.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Configuration;
use Findwell\Core\Hooks\Noted;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class TimeTriggers
{
    private const RULES_SECONDS = 3600;

    /** Queues what began or ended since the last look. */
    public static function run(ShopSync $sync, int $now): void
    {
        $settings = $sync->settings;
        $last = (int) ($settings->get('time_checked') ?? $now);
        $settings->set('time_checked', $now);
        if ($now > $last) {
            self::prices($sync, $last, $now);
            self::novelties($sync, $last, $now);
        }
        $installation = Settings::of(0);
        if ($now - (int) ($installation->get('rules_kept') ?? 0) >= self::RULES_SECONDS) {
            $installation->set('rules_kept', $now);
            RuleProducts::keepAll();
        }
    }

    /** The platform looks at whole minutes: a price counts from the first one after its begin, and during the one in which it ends. */
    private static function prices(ShopSync $sync, int $last, int $now): void
    {
        [$last, $now] = [Sql::text(date('Y-m-d H:i:00', $last)), Sql::text(date('Y-m-d H:i:00', $now))];
        $ids = Sql::column("SELECT DISTINCT `id_product` FROM `{prefix}specific_price`
            WHERE `id_shop` IN (0, $sync->shop) AND `id_cart` = 0 AND `id_customer` = 0
            AND ((`from` > $last AND `from` <= $now) OR (`to` >= $last AND `to` < $now)) LIMIT " . (Noted::OBJECTS_MAX + 1));
        self::queue($sync, array_map('intval', $ids));
    }

    private static function novelties(ShopSync $sync, int $last, int $now): void
    {
        $days = 86400 * (int) Configuration::get('PS_NB_DAYS_NEW_PRODUCT', null, null, $sync->shop);
        $ids = Sql::column("SELECT `id_product` FROM `{prefix}product_shop` WHERE `id_shop` = $sync->shop AND `active` = 1
            AND `date_add` > " . Sql::text(date('Y-m-d H:i:s', $last - $days)) . '
            AND `date_add` <= ' . Sql::text(date('Y-m-d H:i:s', $now - $days)) . ' LIMIT ' . (Noted::OBJECTS_MAX + 1));
        self::queue($sync, array_map('intval', $ids));
    }

    /**
     * @param list<int> $ids
     */
    private static function queue(ShopSync $sync, array $ids): void
    {
        if (in_array(0, $ids, true) || count($ids) > Noted::OBJECTS_MAX) {
            Boot::makeDue($sync->shop, ['products']);
        } else {
            $sync->queue->add('products', $ids);
        }
    }
}
