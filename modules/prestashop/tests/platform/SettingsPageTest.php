<?php

/**
 * Findwell: tests of the page of settings, on a database of their own.
 * 1. Nothing is changed by GET, without the right to configure, or without a form that this employee opened.
 * 2. In the context of several shops nothing is shown nor saved.
 * 3. Choices are cut to what they may be; hostile fields are errors that name them, and no secret is shown.
 * 4. Tokens are renewed; a copy gets another identity; disconnecting forgets everything of the service.
 * 5. Customer groups without the module are named, and can be given it.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use Context;
use Db;
use Findwell\Core\Web\FormToken;
use Findwell\Platform\Choices;
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
        unset($_SERVER['REQUEST_METHOD']);
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
        $view = $this->post('save', ['interval' => '99999999999', 'types' => ['products', 'orders', ['x']], 'tiers' => ['3', '-1', "4' OR 1", '3'],
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

    public function testGroupsWithoutTheModule(): void
    {
        Db::$connection->exec('DELETE FROM ps_module_group WHERE id_group = 4');
        self::assertSame(['Wholesale'], $this->post('none')['groups_without']);
        self::assertSame([], $this->post('groups')['groups_without']);
    }
}
