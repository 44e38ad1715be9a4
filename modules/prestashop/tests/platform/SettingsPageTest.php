<?php

/**
 * Findwell: tests of the page of settings, on a database of their own.
 * 1. Nothing is changed by GET, without the right to configure, or without a form that this employee opened.
 * 2. In the context of several shops nothing is shown nor saved.
 * 3. Choices are cut to what they may be; hostile fields are errors that name them, and no secret is shown.
 * 4. Tokens are renewed; a copy gets another identity; disconnecting forgets everything of the service.
 * 5. The interval is in hours; a call by the button compares everything, and says in words what it has done.
 * 6. Whatever an owner has to know stands on top: rejected keys, a service that is down, held removals, also on other pages.
 * 7. Customer groups without the module are named, and can be given it.
 * 8. Where the shop takes the country of a visitor from the browser, and has several, the countries say so.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use Configuration;
use Context;
use Country;
use Db;
use Findwell\Core\Sync\PassRecord;
use Findwell\Core\Sync\Report;
use Findwell\Core\Web\CronRequest;
use Findwell\Core\Web\FormToken;
use Findwell\Platform\Choices;
use Findwell\Platform\CronJob;
use Findwell\Platform\PageSettings;
use Findwell\Platform\PassTable;
use Findwell\Platform\ReportView;
use Findwell\Platform\Settings;
use Findwell\Tests\platform\support\ShopCase;
use Module;
use Shop;
use Smarty;

final class SettingsPageTest extends ShopCase
{
    protected function setUp(): void
    {
        parent::setUp();
        $context = Context::getContext();
        $context->language = (object) ['id' => 1, 'iso_code' => 'en'];
        $context->smarty = new Smarty();
        $context->employee = (object) ['id' => 1];
        Settings::of(1)->set('choices', ['interval' => 7200]);
    }

    protected function tearDown(): void
    {
        [$_POST, $_GET] = [[], []];
        unset($_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI']);
    }

    /**
     * @param array<string, mixed> $fields
     *
     * @return array<string, mixed> what the template is given
     */
    private function post(string $action, array $fields = [], ?string $token = null, string $method = 'POST'): array
    {
        $_SERVER['REQUEST_METHOD'] = $method;
        $token ??= FormToken::create(_COOKIE_KEY_, 1, time());
        $_POST = $fields + ['findwell_action' => $action, 'findwell_token' => $token];
        $this->module->getContent();

        return Context::getContext()->smarty->values['findwell'];
    }

    public function testWhoMayWrite(): void
    {
        $before = Settings::of(1)->get('cron_token');
        $isUnchanged = function (array $view) use ($before): void {
            self::assertSame(['permission'], $view['errors']);
            Settings::forget();
            self::assertSame($before, Settings::of(1)->get('cron_token'));
        };
        $isUnchanged($this->post('tokens', [], ''));
        $isUnchanged($this->post('tokens', [], FormToken::create(_COOKIE_KEY_, 2, time())));
        $isUnchanged($this->post('tokens', [], FormToken::create('other', 1, time())));
        $isUnchanged($this->post('tokens', [], FormToken::create(_COOKIE_KEY_, 1, time() - 4 * 3600)));
        $isUnchanged($this->post('tokens', [], null, 'GET'));
        Module::$mayConfigure = false;
        $isUnchanged($this->post('tokens'));
        Module::$mayConfigure = true;
        self::assertSame(['tokens'], $this->post('tokens')['notices']);
        self::assertNotSame($before, Settings::of(1)->get('cron_token'));
        self::assertMatchesRegularExpression('/^[0-9a-f]{40}$/', Settings::of(1)->get('cron_token'));
    }

    public function testSeveralShops(): void
    {
        Shop::$shops[2] = 'second.example';
        Shop::setContext(Shop::CONTEXT_ALL);
        $before = Settings::of(1)->get('cron_token');
        self::assertSame([], $this->post('tokens'));
        Settings::forget();
        self::assertSame($before, Settings::of(1)->get('cron_token'));
    }

    public function testChoices(): void
    {
        $view = $this->post('save', ['hours' => '99999999999', 'types' => ['products', 'orders', ['x']], 'tiers' => ['3', '-1', "4' OR 1", '3'],
            'currencies' => 'x', 'box' => '"><script>', 'image' => ['x'], 'feature' => '-3', 'live_prices' => '1']);
        self::assertSame([], $view['errors']);
        $choices = Choices::ofShop(1);
        self::assertSame([2592000, 0], [$choices->interval, $choices->feature]);
        self::assertSame([['products'], [3, 4], []], [$choices->types, $choices->tiers, $choices->currencies]);
        self::assertSame(['field', '', true, false], [$choices->box, $choices->image, $choices->livePrices, $choices->cards]);
    }

    public static function addresses(): array
    {
        return [['ftp://search.example'], ['https://user:pass@search.example'], ['javascript:alert(1)'], [''], ["https://a b"], ['//x'], ['https://x?y=1']];
    }

    /** @dataProvider addresses */
    public function testAddresses(string $address): void
    {
        $view = $this->post('connect', ['address' => $address, 'key' => 'con_1234567890']);
        self::assertCount(1, $view['errors'], $address);
        self::assertMatchesRegularExpression('/address/i', $view['errors'][0]);
        self::assertNull(Settings::of(1)->get('base_address'));
        self::assertNull(Settings::of(1)->get('key'));
    }

    public function testKeys(): void
    {
        foreach (['', 'short', "con_123456\nX-Evil: 1", str_repeat('a', 256)] as $key) {
            $view = $this->post('connect', ['address' => 'http://127.0.0.1:9', 'key' => $key]);
            self::assertCount(1, $view['errors']);
            self::assertStringStartsWith('key: ', $view['errors'][0]);
        }
        $view = $this->post('connect', ['address' => 'http://127.0.0.1:9', 'key' => 'con_secretsecretsecret']);
        Settings::of(1)->set('context_secret', 'ctx_secretsecret');
        Settings::forget();
        $view = $this->post('none');
        self::assertSame(['unknown'], $view['errors']);
        self::assertStringNotContainsString('secretsecret', json_encode($view));
        self::assertTrue($view['is_connected']);
    }

    public function testCopyAndDisconnect(): void
    {
        foreach (['copy' => true, 'disconnect' => false] as $action => $isOther) {
            $identity = Settings::of(1)->get('instance_id');
            foreach (['key' => 'con_x', 'public_key' => 'pub_x', 'context_secret' => 'ctx_x', 'seen_address' => 'http://other'] as $name => $value) {
                Settings::of(1)->set($name, $value);
            }
            $this->post($action);
            Settings::forget();
            foreach (['key', 'public_key', 'context_secret', 'seen_address'] as $name) {
                self::assertNull(Settings::of(1)->get($name), $name);
            }
            self::assertSame($isOther, $identity !== Settings::of(1)->get('instance_id'));
            self::assertSame(7200, Choices::ofShop(1)->interval, 'choices stay');
        }
    }

    public function testHours(): void
    {
        foreach (['24' => 86400, '0.5' => 1800, '1,5' => 5400, '0' => 0, '-3' => 0, 'x' => 0, '720' => 2592000] as $hours => $seconds) {
            $view = $this->post('save', ['hours' => (string) $hours]);
            self::assertSame($seconds, Choices::ofShop(1)->interval, (string) $hours);
            self::assertEqualsWithDelta($seconds / 3600, $view['hours'], 0.001);
        }
        $this->post('save', ['hours' => ['x']]);
        self::assertSame(86400, Choices::ofShop(1)->interval);
    }

    public function testFirstCall(): void
    {
        self::assertSame(['', ''], array_values(array_intersect_key($this->post('none')['running'], ['last' => 1, 'last_status' => 1])));
        $page = (string) file_get_contents(__DIR__ . '/../../findwell/views/templates/admin/settings.tpl');
        self::assertStringContainsString("{else}{l s='never' d='Modules.Findwell.Admin'}{/if}", $page);
        self::assertStringNotContainsString('json_encode', $page);
    }

    /** @param array<string, mixed> $settings */
    private static function connected(array $settings = []): void
    {
        $values = $settings + ['key' => 'con_secretsecret', 'base_address' => 'http://127.0.0.1:9', 'seen_address' => 'http://shop.example',
            'keys_checked' => time(), 'languages' => ['indexed' => ['en'], 'skipped' => []]];
        foreach ($values as $name => $value) {
            Settings::of(1)->set($name, $value);
        }
    }

    public function testSyncNow(): void
    {
        self::connected();
        $finished = new PassRecord();
        $finished->finished = time();
        foreach (['products', 'categories', 'brands', 'pages'] as $type) {
            (new PassTable(1))->save($type, $finished);
        }
        $report = $this->post('sync')['report'];
        self::assertSame('error', $report['status'], 'something was tried, at an address where nobody listens');
        self::assertNotSame('', $report['message']);
        self::assertTrue((new PassTable(1))->load('brands')->isDue);
        self::assertNotNull(Settings::of(1)->get('down_since'));
        self::assertSame('error', Settings::of(1)->get('last_cron')['status']);
    }

    public function testReport(): void
    {
        $report = new Report();
        $record = new PassRecord();
        $record->start('x', 'incremental', ['en', 'es'], 1);
        $record->count('en', 'sent', 3);
        $record->count('es', 'touched', 4);
        $report->add('pages', $record, 'done');
        $report->addIdle('brands', 5);
        $report->conclude();
        $view = ReportView::of($report);
        self::assertSame('done', $view['status']);
        self::assertEquals(
            ['type' => 'pages', 'status' => 'done', 'errors' => [], 'sent' => 3, 'touched' => 4, 'dropped' => 0, 'deleted' => 0],
            $view['types'][0]
        );
        self::assertSame(['brands', 'idle'], [$view['types'][1]['type'], $view['types'][1]['status']]);
    }

    private function notice(): string
    {
        Settings::forget();
        Context::getContext()->smarty->values = [];

        return $this->module->hookDisplayAdminAfterHeader();
    }

    public function testTroubleStandsOnTopAndOnOtherPages(): void
    {
        self::connected();
        self::assertFalse($this->post('none')['has_trouble']);
        self::assertSame('', $this->notice());
        $held = new PassRecord();
        $held->held = ['en' => 1601, 'es' => 1601];
        $troubles = [
            'broken' => fn () => Settings::of(1)->set('broken', 'key_invalid'),
            'is_page_key_rejected' => fn () => Settings::of(1)->set('pages_key_rejected', true),
            'down' => fn () => Settings::of(1)->set('down_since', 1700000000),
            'held' => fn () => (new PassTable(1))->save('products', $held),
        ];
        foreach ($troubles as $name => $begin) {
            foreach (['broken', 'pages_key_rejected', 'down_since'] as $setting) {
                Settings::of(1)->set($setting, null);
            }
            $begin();
            $view = $this->post('none');
            self::assertTrue($view['has_trouble'], $name);
            self::assertNotEmpty($view['trouble'][$name], $name);
            self::assertStringContainsString('notice.tpl', $this->notice(), $name);
        }
        self::assertSame(['products' => 1601], $this->post('none')['trouble']['held']);
        self::assertSame(1601, $this->post('none')['running']['passes']['products']['held']);
        $_SERVER['REQUEST_URI'] = '/admin/index.php?controller=AdminModules&configure=findwell';
        self::assertSame('', $this->notice(), 'the page of settings says more');
        $_SERVER['REQUEST_URI'] = '/admin/modules/manage/action/configure/findwell';
        self::assertSame('', $this->notice());
        $_SERVER['REQUEST_URI'] = '/admin/';
        Module::$mayConfigure = false;
        self::assertSame('', $this->notice(), 'who can do nothing about it');
        Module::$mayConfigure = true;
        Settings::of(1)->set('key', null);
        self::assertSame('', $this->notice(), 'not connected');
    }

    public function testRejectedKeyOfThePagesTakesTheSearchOffThem(): void
    {
        self::connected(['public_key' => 'pub_page']);
        $this->post('none');
        self::assertNotNull(PageSettings::load(1));
        Settings::of(1)->set('pages_key_rejected', true);
        $this->post('none');
        self::assertNull(PageSettings::load(1));
    }

    public function testRejectedCallsAreCalls(): void
    {
        self::connected(['broken' => 'key_invalid']);
        $report = (new CronJob($this->module))->run(1, CronRequest::parse('sync', '0'));
        self::assertSame([409, 'error'], [$report->httpStatus, Settings::of(1)->get('last_cron')['status']]);
    }

    public function testCountriesThatTheBrowserDecides(): void
    {
        self::assertFalse($this->post('none')['detects_country']);
        Configuration::$values[1]['PS_DETECT_COUNTRY'] = '1';
        self::assertTrue($this->post('none')['detects_country']);
        Country::$isFranceActive = false;
        self::assertFalse($this->post('none')['detects_country'], 'there is no other country to take');
        $page = (string) file_get_contents(__DIR__ . '/../../findwell/views/templates/admin/settings.tpl');
        self::assertMatchesRegularExpression(
            "/name=\"countries\[\]\".+\{if \\\$findwell\.detects_country\}<div class=\"alert alert-info\">\{l s='[^']*language of the browser/",
            $page
        );
    }

    public function testGroupsWithoutTheModule(): void
    {
        Db::$connection->exec('DELETE FROM ps_module_group WHERE id_group = 4');
        self::assertSame(['Wholesale'], $this->post('none')['groups_without']);
        self::assertSame([], $this->post('groups')['groups_without']);
    }
}
