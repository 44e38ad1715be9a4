<?php

/**
 * Findwell: scenarios in which calls are killed, the service hangs or loses what it had, or the shop loses products.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop;

use Findwell\Tests\shop\support\ScenarioCase;

final class RecoveryTest extends ScenarioCase
{
    private const KILLS = 20;
    private const COPIES = 1000;
    private const ACTIVE = "SELECT COUNT(*) FROM {prefix}product_shop WHERE active = 1 AND visibility IN ('both', 'search') AND id_shop = 1";

    public static function tearDownAfterClass(): void
    {
        if (isset(self::$shop)) {
            self::$shop->forget();
        }
        parent::tearDownAfterClass();
    }

    /** The store of the shop, as its connector sees it. */
    private static function feed(string $path, ?array $body = null): array
    {
        $context = stream_context_create(['http' => ['method' => $body === null ? 'GET' : 'POST', 'ignore_errors' => true,
            'content' => $body === null ? '' : json_encode((object) $body),
            'header' => "Content-Type: application/json\r\nX-API-Key: " . self::$shop->setting('key')]]);

        return json_decode((string) file_get_contents(self::$service->direct . '/api/v1/feed' . $path, false, $context), true)['data'] ?? [];
    }

    private static function documents(): int
    {
        return (int) (self::feed('/plan')['usage']['documents']['products'] ?? -1);
    }

    private static function active(): int
    {
        return (int) self::$shop->value(self::ACTIVE);
    }

    public function test12HangingServiceUnderTheWebServer(): void
    {
        if (self::$shop->web("return function_exists('fastcgi_finish_request') || function_exists('litespeed_finish_request');")[1] !== true) {
            self::markTestSkipped('SKIPPED: the web server cannot hand a response over');
        }
        $save = static fn (int $id, string $name): float => self::$shop->web("\$p = new Product($id, false, null, 1); \$p->name = array_fill(1, 2, " . var_export($name, true) . '); $p->setFieldsToUpdate(null);
            return $p->save();')[0];
        $names = self::$shop->database->query('SELECT id_product, name FROM ' . self::$shop->prefix . 'product_lang
            WHERE id_lang = 1 AND id_shop = 1 AND id_product BETWEEN 1 AND 5 ORDER BY 1')->fetchAll(\PDO::FETCH_KEY_PAIR);
        try {
            $this->savesWhileTheServiceHangs($save, $names);
        } finally {
            self::$service->rules([]);
            self::$shop->sql("DELETE FROM {prefix}findwell_setting WHERE `name` = 'breaker'");
            foreach ($names as $id => $name) {
                $save($id, $name);
            }
        }
        $this->within(fn (): bool => $this->hits('mnbvcx') === [], 'named as before');
    }

    /**
     * @param callable(int, string): float $save
     * @param array<int, string> $names
     */
    private function savesWhileTheServiceHangs(callable $save, array $names): void
    {
        $save(1, $names[1]);
        $usual = [];
        foreach ($names as $id => $name) {
            $usual[] = $save($id, $name);
        }
        $this->within(fn (): bool => self::$shop->value('SELECT COUNT(*) FROM {prefix}findwell_queue') === '0', 'nothing waits');
        self::$service->rules(['#.#' => 'hang']);
        $hanging = [];
        foreach ($names as $id => $name) {
            $hanging[] = $save($id, "Mnbvcx $id");
        }
        fwrite(STDERR, sprintf("\nsaves: %s ms, while the service hangs: %s ms\n", ...array_map(
            static fn (array $seconds): string => implode(' ', array_map(static fn (float $one): string => (string) round(1000 * $one), $seconds)),
            [$usual, $hanging]
        )));
        // A request of the hooks takes up to five seconds, so a save that waited for one would show.
        self::assertLessThan(max($usual) + 1.0, max($hanging));
        for ($until = microtime(true) + 30; microtime(true) < $until && self::$shop->value('SELECT COUNT(*) FROM {prefix}findwell_queue') !== '5';) {
            usleep(50000);
        }
        self::assertSame('1,2,3,4,5', self::$shop->value("SELECT GROUP_CONCAT(id_object ORDER BY id_object) FROM {prefix}findwell_queue WHERE type = 'products'"));
        self::assertSame([], $this->hits('mnbvcx'));
        self::$service->rules([]);
        self::assertSame(0, self::cronUntilDone()['queue']['left']);
        $this->within(function (): bool {
            $found = array_column($this->hits('mnbvcx'), 'id');
            sort($found);

            return $found === ['1', '2', '3', '4', '5'];
        }, 'what was saved meanwhile');
    }

    public function test14Kills(): void
    {
        self::$shop->copy(6, self::COPIES);
        self::$shop->cron('what=reset_incremental');
        self::due();
        self::$service->calls();
        $begun = sys_get_temp_dir() . '/findwell-begun-' . getmypid();
        $call = '$_SERVER["REQUEST_METHOD"] = "GET"; touch("' . $begun . '");
            (new Findwell\Platform\CronJob(Module::getInstanceByName("findwell")))->run(1, Findwell\Core\Web\CronRequest::parse("sync", null));';
        for ($i = 0; $i < self::KILLS; ++$i) {
            // Less at the end, when there is little left to do.
            self::$shop->kill($call, random_int(1000, 600000), $begun);
            self::$shop->awaitLock();
        }
        @unlink($begun);
        $report = self::cronUntilDone();
        self::assertContains($report['status'], ['done', 'idle'], json_encode($report));
        foreach (['en', 'es'] as $language) {
            self::assertSame((string) self::active(), self::$shop->value("SELECT COUNT(*) FROM {prefix}findwell_state WHERE type = 'products' AND id_lang = '$language'"));
        }
        self::assertSame(self::active(), self::documents());
        $blocks = $this->blocks('#products/bulk$#');
        $pages = 2 * (int) ceil(self::active() / 200);
        self::assertGreaterThanOrEqual($pages, count($blocks));
        self::assertLessThanOrEqual($pages + 2 * self::KILLS, count($blocks), 'at most one page is sent again after a kill');
        foreach (['demo_1', 'demo_11', 'demo_21', 'C50001', 'C50500', 'C51000'] as $code) {
            $this->within(fn (): bool => $this->hits($code) !== [], $code);
        }
        self::due();
        $report = self::cronUntilDone();
        self::assertSame([0, 2 * self::active()], [$report['results']['products']['sent'], $report['results']['products']['touched']]);
    }

    public function test14AServiceRestoredFromABackup(): void
    {
        self::assertSame('done', self::cronUntilDone('what=sync&fresh=1')['status']);
        self::$service->backUp();
        $rename = static fn (string $name): mixed => self::$shop->php("\$p = new Product(50007, false, null, 1); \$p->name = [1 => '$name', 2 => '$name'];
            \$p->setFieldsToUpdate(null); return \$p->save();");
        $rename('Changed Asdfgh');
        $new = (int) self::$shop->php('$p = new Product(); foreach ([1, 2] as $l) { $p->name[$l] = "Added Asdfgh"; $p->link_rewrite[$l] = "q"; }
            $p->price = 5; $p->id_category_default = 2; $p->active = 1; $p->add(); $p->addToCategories([2, 3]); $p->save(); return (int) $p->id;');
        $both = fn (): array => array_column($this->hits('asdfgh'), 'id');
        $this->within(fn (): bool => count($both()) === 2, 'a changed and an added product');
        self::$service->restore();
        self::assertSame([], $both(), 'the service has lost them');
        self::due();
        self::$service->calls();
        $report = self::cronUntilDone();
        self::assertSame('done', $report['status'], json_encode($report));
        self::assertSame(4, $report['results']['products']['sent'], 'what touch calls changed and missing, in two languages');
        $ofRun = array_filter($this->blocks('#products/bulk$#'), static fn (array $call): bool => isset($call['body']['runId']));
        $sent = array_merge(...array_map(static fn (array $call): array => array_column($call['body']['documents'], 'id'), array_values($ofRun)));
        sort($sent);
        $expected = ['50007', '50007', (string) $new, (string) $new];
        sort($expected);
        self::assertSame($expected, $sent);
        $this->within(fn (): bool => count($both()) === 2, 'found again');
        self::$shop->php("(new Product($new))->delete(); return 1;");
    }

    public function test14AnIndexThatWasCleared(): void
    {
        $expected = self::active();
        self::assertNotSame([], self::feed('/products/clear', ['languages' => ['en', 'es']]));
        $this->within(fn (): bool => $this->hits('demo_1') === [], 'cleared');
        self::due();
        $report = self::cronUntilDone();
        self::assertSame(2 * $expected, $report['results']['products']['sent'], 'what touch called missing');
        $this->within(fn (): bool => $this->hits('demo_1') !== [], 'found again');
    }

    public function test15ManyProductsGoAtOnce(): void
    {
        $before = self::active();
        $off = "UPDATE {prefix}product_shop SET active = 0 WHERE id_product > 50000 AND id_product % 5 IN (1, 3)";
        self::$shop->sql($off);
        $going = 2 * ($before - self::active());
        self::assertEqualsWithDelta(0.4, $going / 2 / $before, 0.02);
        self::due();
        $report = self::cronUntilDone();
        self::assertSame([0, 'done'], [$report['results']['products']['deleted'], $report['results']['products']['status']]);
        $run = (string) $report['results']['products']['run'];
        self::assertSame('held', self::feed("/runs/$run")['state']);
        self::assertStringContainsString('held', self::$service->command(['run', 'list', '--store', (string) self::$shop->setting('store_id')]));
        self::assertSame($before, self::documents(), 'nothing was removed');
        self::assertNotSame([], $this->hits('C50001'));
        $page = self::$shop->form('none');
        self::assertStringContainsString('value="confirm"', $page, 'the owner can remove them');
        self::assertStringContainsString((string) $going, $page);

        // The import is corrected, and the next pass that is due ends what was held.
        self::$shop->sql("UPDATE {prefix}product_shop SET active = 1 WHERE id_product > 50000");
        self::due();
        self::$service->calls();
        $report = self::cronUntilDone();
        self::assertSame([0, 2 * $before], [$report['results']['products']['sent'], $report['results']['products']['touched']]);
        self::assertSame('aborted', self::feed("/runs/$run")['state']);
        self::assertStringNotContainsString('value="confirm"', self::$shop->form('none'));
        self::assertSame($before, self::documents());

        // This time it is meant.
        self::$shop->sql($off);
        self::due();
        $run = (string) self::cronUntilDone()['results']['products']['run'];
        self::assertSame('held', self::feed("/runs/$run")['state']);
        self::assertStringNotContainsString('value="confirm"', self::$shop->form('confirm'));
        self::assertSame('closed', self::feed("/runs/$run")['state']);
        self::assertSame(self::active(), self::documents());
        $found = fn (string $id): bool => in_array($id, array_column($this->hits("C$id"), 'id'), true);
        $this->within(fn (): bool => !$found('50001') && $found('50002'), 'those that were switched off');
        self::due();
        $report = self::cronUntilDone();
        self::assertSame([0, 0], [$report['results']['products']['sent'], $report['results']['products']['deleted']], 'the states follow');
    }
}
