<?php

/**
 * Findwell: tests of the module's tables, on a database of their own.
 * 1. A setting is returned as it was set, whatever stands in it; shops do not see each other's.
 *    A change takes what is stored, whatever the request has read before, so failures of requests that overlap all count.
 * 2. An object is queued once; a new change gives a postponed one its turn; a full queue is emptied, and passes are due.
 * 3. States are written, replaced, removed and dropped in their scope alone.
 * 4. What the page of a shop needs is its own, never that of another shop.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use Configuration;
use Findwell\Core\Service\SystemClock;
use Findwell\Core\Sync\Breaker;
use Findwell\Core\Sync\PassRecord;
use Findwell\Platform\PageSettings;
use Findwell\Platform\PassTable;
use Findwell\Platform\QueueTable;
use Findwell\Platform\Settings;
use Findwell\Platform\StateTable;
use Findwell\Tests\platform\support\ShopCase;
use Findwell\Tests\platform\support\Shopkeeper;

final class TablesTest extends ShopCase
{
    public function testRequestsThatFailAtOnceAllCount(): void
    {
        $requests = [];
        foreach ([1, 2, 3] as $number) {
            Settings::forget();
            $requests[$number] = new Breaker(Settings::of(1), new SystemClock());
            // Each has read before any of them fails.
            self::assertFalse($requests[$number]->isOpen());
        }
        foreach ($requests as $number => $breaker) {
            $breaker->failed();
            self::assertSame($number === 3, $breaker->isOpen());
        }
        $until = $requests[3]->openUntil();
        $requests[1]->failed();
        self::assertGreaterThanOrEqual($until, $requests[1]->openUntil());
        $requests[3]->succeeded();
        Settings::forget();
        self::assertFalse((new Breaker(Settings::of(1), new SystemClock()))->isOpen());
    }

    /** @dataProvider values */
    public function testChangeOfASetting(mixed $value): void
    {
        $first = Settings::of(1);
        $first->get("na'me");
        Settings::forget();
        Settings::of(1)->set("na'me", $value);
        $first->update("na'me", static fn (mixed $stored): array => [$stored, 'more']);
        self::assertSame([$value, 'more'], $first->get("na'me"));
        $first->update('new', static fn (mixed $stored): array => [$stored]);
        Settings::forget();
        self::assertSame([null], Settings::of(1)->get('new'));
    }

    public static function values(): array
    {
        return [
            ["'; DROP TABLE ps_findwell_setting; --"], ['back\\slash "quotes" `ticks` % _'], ["\\' OR 1=1 -- "], ['{prefix}product'],
            ['<b>bold</b>'], ["line\nbreak\0null"], ['café 日本語 🙂'], [['a' => [1, null, true, 1.5], "k'ey" => []]], [0], [false], [''],
        ];
    }

    /** @dataProvider values */
    public function testSettings(mixed $value): void
    {
        Settings::of(1)->set("na'me", $value);
        Settings::of(2)->set('other', $value);
        self::assertSame($value, Settings::of(1)->get("na'me"));
        Settings::forget();
        self::assertSame($value, Settings::of(1)->get("na'me"));
        self::assertNull(Settings::of(1)->get('other'));
        Settings::of(1)->set("na'me", null);
        Settings::forget();
        self::assertNull(Settings::of(1)->get("na'me"));
        self::assertSame($value, Settings::of(2)->get('other'));
    }

    public function testQueue(): void
    {
        $queue = new QueueTable(1, new PassTable(1));
        $queue->add('products', [3, 1]);
        $queue->add('products', [1, 2]);
        (new QueueTable(2, new PassTable(2)))->add('products', [9]);
        self::assertSame(3, $queue->count());
        $items = $queue->next(10, time());
        self::assertSame([1, 2, 3], array_column($items, 'id'));
        $queue->postpone($items[0], time() + 60);
        self::assertSame([2, 3], array_column($queue->next(10, time()), 'id'));
        self::assertSame(1, $queue->next(10, time() + 60)[2]->attempts);
        $queue->add('products', [1]);
        self::assertSame([1, 2, 3], array_column($queue->next(10, time()), 'id'));
        $queue->remove([$items[1]]);
        self::assertSame([1, 3], array_column($queue->next(10, time()), 'id'));
        $queue->clear();
        self::assertSame('9', Shopkeeper::value('SELECT GROUP_CONCAT(id_object) FROM {prefix}findwell_queue'));
    }

    public function testFullQueue(): void
    {
        $queue = new QueueTable(1, new PassTable(1));
        foreach (array_chunk(range(1, QueueTable::ROWS_MAX), 5000) as $ids) {
            $queue->add('products', $ids);
        }
        self::assertSame(QueueTable::ROWS_MAX, $queue->count());
        self::assertFalse((new PassTable(1))->load('products')->isDue);
        $queue->add('categories', [1]);
        self::assertSame(0, $queue->count());
        self::assertTrue((new PassTable(1))->load('products')->isDue);
        self::assertTrue((new PassTable(1))->load('categories')->isDue);
    }

    public function testStates(): void
    {
        $states = new StateTable(1);
        $hash = static fn (int $of): string => 'sha1:' . sha1((string) $of);
        $hashes = array_combine(range(1, 1200), array_map($hash, range(1, 1200)));
        $states->write('products', 'en', 'first', $hashes);
        $states->write('products', 'es', 'first', [1 => $hash(1)]);
        (new StateTable(2))->write('products', 'en', 'first', [1 => $hash(5)]);
        self::assertSame([1 => $hash(1), 1200 => $hash(1200)], $states->hashes('products', 'en', [1, 1200, 9999]));
        $states->write('products', 'en', 'second', [1 => $hash(7)]);
        self::assertSame([1 => $hash(7)], $states->hashes('products', 'en', [1]));
        self::assertCount(1000, $states->idsOfOtherPasses('products', 'en', 'second', 1000));
        $states->deleteOtherPasses('products', 'en', 'second');
        self::assertSame('1', Shopkeeper::value("SELECT COUNT(*) FROM {prefix}findwell_state WHERE id_shop = 1 AND id_lang = 'en'"));
        $states->remove('products', [1], ['es']);
        self::assertSame([], $states->hashes('products', 'es', [1]));
        $states->drop('products', 'en');
        self::assertSame('1', Shopkeeper::value('SELECT COUNT(*) FROM {prefix}findwell_state'), 'that of the other shop stays');
    }

    public function testPasses(): void
    {
        $passes = new PassTable(1);
        $record = new PassRecord();
        $record->problems = ["12: name_missing: it's `empty` \\ {prefix}"];
        $record->cursor = 77;
        $passes->save('products', $record);
        self::assertEquals($record, $passes->load('products'));
        self::assertEquals(new PassRecord(), $passes->load('brands'));
        self::assertEquals(new PassRecord(), (new PassTable(2))->load('products'));
    }

    public function testPageOfAnotherShop(): void
    {
        $page = ['shop' => 1, 'key' => 'pub_x', 'base' => 'https://search.example', 'box' => 'field'];
        Configuration::updateValue(PageSettings::NAME, json_encode($page), false, null, 0);
        self::assertNull(PageSettings::load(2), 'inherited from all shops');
        self::assertNotNull(PageSettings::load(1));
        Configuration::updateValue(PageSettings::NAME, json_encode(['key' => ''] + $page), false, null, 1);
        self::assertNull(PageSettings::load(1), 'no key');
    }
}
