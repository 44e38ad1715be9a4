<?php

/**
 * Findwell: tests of a whole connection, from the platform's tables to the real service, on a database of their own.
 * 1. Connecting by the form, then calls of cron: documents of all types are found by shoppers.
 * 2. An unchanged pass sends nothing; a save is sent at the end of its request, a deletion deletes.
 * 3. A price that begins by its date is sent by the next call; a hook that was lost is registered again.
 * 4. A removal ends the open run, and leaves the documents.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use Configuration;
use Context;
use Db;
use Findwell\Core\Web\CronRequest;
use Findwell\Core\Web\FormToken;
use Findwell\Platform\Boot;
use Findwell\Platform\CronJob;
use Findwell\Platform\Settings;
use Findwell\Tests\contract\support\Service;
use Findwell\Tests\platform\support\ShopCase;
use Findwell\Tests\platform\support\Shopkeeper;
use Hook;
use Product;
use Smarty;

final class ShopSyncTest extends ShopCase
{
    private static ?Service $service = null;

    protected function setUp(): void
    {
        parent::setUp();
        if (!is_executable(Service::binary())) {
            self::markTestSkipped('SKIPPED: no service binary');
        }
        self::$service ??= new Service();
        $context = Context::getContext();
        $context->language = (object) ['id' => 1, 'iso_code' => 'en'];
        $context->smarty = new Smarty();
        $context->employee = (object) ['id' => 1];
    }

    protected function tearDown(): void
    {
        $_POST = [];
        unset($_SERVER['REQUEST_METHOD']);
    }

    public static function tearDownAfterClass(): void
    {
        self::$service?->end();
        self::$service = null;
    }

    private function connect(): void
    {
        $_SERVER['REQUEST_METHOD'] = 'POST';
        $_POST = ['findwell_action' => 'connect', 'findwell_token' => FormToken::create(_COOKIE_KEY_, 1, time()),
            'address' => self::$service->address, 'key' => self::$service->store()['connectorKey']];
        $this->module->getContent();
        $steps = Context::getContext()->smarty->values['findwell']['steps'];
        self::assertSame(['ok'], array_values(array_unique(array_column($steps, 'status'))), json_encode($steps));
        self::$service->calls();
    }

    /** @return array<string, mixed> */
    private function cron(string $what = 'sync'): array
    {
        $request = CronRequest::parse($what, null);
        Shopkeeper::forgetRequest();
        $report = (new CronJob($this->module))->run(1, $request);

        return json_decode((string) json_encode($report->body($what, false, 0.0)), true);
    }

    /** @return list<string> ids */
    private static function found(string $query, string $type = 'products'): array
    {
        $body = ['q' => $query, 'lang' => 'en', 'types' => [$type]];
        $key = (string) Settings::of(1)->get('public_key');

        return array_column(self::$service->search($key, $body)[$type]['hits'], 'id');
    }

    /** What the service acknowledged is searchable a moment later. */
    private function within(callable $condition, string $what): void
    {
        for ($until = microtime(true) + 30; microtime(true) < $until; usleep(20000)) {
            if ($condition()) {
                $this->addToAssertionCount(1);

                return;
            }
        }
        self::fail($what);
    }

    /** @return list<list<string>> ids of each block that was sent */
    private static function sent(): array
    {
        return array_map(
            static fn (array $call): array => array_column($call['body']['documents'], 'id'),
            self::$service->calls('#/products/bulk$#')
        );
    }

    public function testWholeConnection(): void
    {
        Shopkeeper::shared();
        foreach ([1, 2, 3] as $id) {
            Shopkeeper::product($id);
        }
        $this->connect();
        $report = $this->cron();
        self::assertSame('done', $report['status'], json_encode($report));
        $this->within(static fn (): bool => self::found('Product 2') !== [], 'found by name');
        $this->within(static fn (): bool => self::found('0v7') === ['3'], 'found by the code of a variant');
        $this->within(static fn (): bool => (self::found('Category 4', 'categories')[0] ?? '') === '4', 'a category');
        self::$service->calls();

        Boot::makeDue(1, ['products', 'categories']);
        $report = $this->cron();
        self::assertSame([0, 6], [$report['results']['products']['sent'], $report['results']['products']['touched']]);
        self::assertSame([], self::sent());

        Db::$connection->exec("UPDATE ps_product_lang SET name = 'Zyxwvut' WHERE id_product = 2 AND id_lang = 1");
        foreach ([1, 2] as $again) {
            (new Product(2))->update();
        }
        Hook::exec('actionUpdateQuantity', ['id_product' => 2]);
        Shopkeeper::endRequest();
        self::assertSame([['2'], ['2']], self::sent(), 'once for each language');
        $this->within(static fn (): bool => self::found('zyxwvut') === ['2'], 'sent when it was saved');
        Db::$connection->exec('UPDATE ps_product_shop SET active = 0 WHERE id_product = 2');
        (new Product(2))->update();
        Shopkeeper::endRequest();
        $this->within(static fn (): bool => self::found('zyxwvut') === [], 'deleted when it was switched off');
    }

    public function testTimeAndLostHooks(): void
    {
        Shopkeeper::product(1);
        Shopkeeper::product(2);
        $this->connect();
        $this->cron();
        self::$service->calls();
        Shopkeeper::row('specific_price', ['id_product' => 1, 'id_shop' => 1, 'from' => date('Y-m-d H:i:s', time() - 90), 'to' => '2099-01-01']);
        Shopkeeper::row('specific_price', ['id_product' => 2, 'id_shop' => 1, 'id_customer' => 5, 'from' => date('Y-m-d H:i:s', time() - 90)]);
        Settings::of(1)->set('time_checked', time() - 180);
        Db::$connection->exec("DELETE m FROM ps_hook_module m JOIN ps_hook h USING (id_hook) WHERE h.name = 'actionProductSave'");
        $report = $this->cron();
        self::assertSame(1, $report['queue']['done'], json_encode($report));
        self::assertSame([['1'], ['1']], self::sent());
        self::assertSame('hooks registered: actionProductSave', $report['warnings'][0]);
        self::assertSame(0, $this->cron()['queue']['done'], 'once');
    }

    public function testRemovalEndsTheRun(): void
    {
        foreach (range(1, 3) as $id) {
            Shopkeeper::product($id);
        }
        $this->connect();
        // The service takes the first block and then nothing, so that the run stays open.
        self::$service->rules(['#/close$#' => 503]);
        $this->cron();
        self::$service->rules([]);
        self::$service->calls();
        $key = (string) Settings::of(1)->get('public_key');
        self::assertTrue($this->module->uninstall());
        self::assertContains('POST', array_column(self::$service->calls('#/runs/.+/abort$#'), 'method'));
        $body = ['q' => 'product', 'lang' => 'en', 'types' => ['products']];
        $this->within(static fn (): bool => count(self::$service->search($key, $body)['products']['hits']) === 3, 'documents stay');
    }
}
