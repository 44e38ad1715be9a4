<?php

/**
 * Findwell: tests of what changes by the clock alone, on a database of their own.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use Db;
use Findwell\Platform\Settings;
use Findwell\Platform\ShopSync;
use Findwell\Platform\TimeTriggers;
use Findwell\Tests\platform\support\ShopCase;
use Findwell\Tests\platform\support\Shopkeeper;

final class TimeTriggersTest extends ShopCase
{
    /** The platform compares whole minutes, so a price counts from the first one after its begin, and during the one in which it ends. */
    public function testAPriceBeginsAndEndsWithAMinute(): void
    {
        Shopkeeper::product(1);
        $sync = new ShopSync(1);
        $noon = (int) strtotime('2030-05-05 12:00:00');
        $queued = function (string $from, string $to, int $last, int $now) use ($sync): bool {
            Db::$connection->exec('DELETE FROM ps_specific_price');
            Db::$connection->exec('DELETE FROM ps_findwell_queue');
            Shopkeeper::row('specific_price', ['id_product' => 1, 'id_shop' => 1, 'from' => $from, 'to' => $to]);
            Settings::of(1)->set('time_checked', $last);
            TimeTriggers::run($sync, $now);

            return (int) Db::$connection->query('SELECT COUNT(*) FROM ps_findwell_queue')->fetchColumn() > 0;
        };
        [$never, $half] = ['0000-00-00 00:00:00', '2030-05-05 12:00:30'];
        self::assertFalse($queued($half, $never, $noon - 300, $noon + 45), 'begins with the next minute');
        self::assertTrue($queued($half, $never, $noon + 45, $noon + 345), 'has begun');
        self::assertTrue($queued('2030-05-05 12:00:00', $never, $noon - 300, $noon + 1), 'begins with its minute');
        self::assertFalse($queued('2030-05-05 12:00:00', $never, $noon + 1, $noon + 301), 'had begun before');
        foreach (['2030-05-05 12:00:00', $half] as $to) {
            self::assertFalse($queued($never, $to, $noon - 300, $noon + 45), 'still counts in this minute');
            self::assertTrue($queued($never, $to, $noon + 45, $noon + 345), 'has ended');
        }
        self::assertFalse($queued($never, '2030-05-05 11:59:59', $noon + 1, $noon + 301), 'had ended before');
    }
}
