<?php

/**
 * Findwell: tests of what the module does on pages of the shop, on a database of their own.
 * 1. A page takes no statement of the module, with a key or without; without one it has nothing of it.
 * 2. The box stands at its hook alone; the place for results on the page of the platform's search alone.
 * 3. No secret is in a page; what a shopper typed is escaped by the template.
 * 4. Prices are those of the visitor; what nobody may see is missing.
 * 5. The field of the test page is served whatever the box is, and has a form for the shop's own search.
 * 6. The box works without scripts: a form with a field and a button, both with a name; its style touches nothing else.
 * 7. The line of a page is that of `line.html`, which a test of the service tries in a browser.
 * 8. The visitor's token names groups, price group, country and currency that were declared; the base is nobody.
 * 9. The test page has a heading for each of its parts, words for types and names for groups.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform;

use Configuration;
use Context;
use Db;
use Findwell\Core\Sync\Types;
use Findwell\Platform\Boot;
use Findwell\Platform\Choices;
use Findwell\Platform\LivePrices;
use Findwell\Platform\PageSettings;
use Findwell\Platform\Settings;
use Findwell\Platform\ShopSync;
use Findwell\Platform\TestPage;
use Findwell\Platform\Visitor;
use Findwell\Tests\platform\support\ShopCase;
use Findwell\Tests\platform\support\Shopkeeper;
use FrontController;
use Group;
use SearchController;
use Smarty;

final class PagesTest extends ShopCase
{
    protected function setUp(): void
    {
        parent::setUp();
        $context = Context::getContext();
        $context->language = (object) ['id' => 1, 'iso_code' => 'en'];
        $context->currency = (object) ['id' => 1, 'iso_code' => 'EUR', 'precision' => 2];
        $context->country = (object) ['id' => 6, 'iso_code' => 'ES'];
        $context->customer = (object) ['id' => 0];
        $context->smarty = new Smarty();
        $context->controller = new SearchController();
        Group::$current = 1;
    }

    private static function connect(string $box): void
    {
        $values = ['key' => 'con_secretsecret', 'public_key' => 'pub_page', 'context_secret' => 'ctx_secretsecret',
            'base_address' => 'https://search.example', 'choices' => ['box' => $box]];
        foreach ($values as $name => $value) {
            Settings::of(1)->set($name, $value);
        }
        PageSettings::save(new ShopSync(1));
    }

    /** @return array<string, string> */
    private function parts(): array
    {
        Db::$statements = [];
        $parts = [];
        foreach (['displayHeader', 'displayTop', 'displayNavFullWidth', 'displayHeaderCategory'] as $hook) {
            $parts[$hook] = (string) $this->module->{'hook' . ucfirst($hook)}([]);
        }
        self::assertSame([], Db::$statements, 'a page needs no statement');

        return $parts;
    }

    public function testNotConnected(): void
    {
        self::assertSame(['', '', '', ''], array_values($this->parts()));
    }

    public function testBoxes(): void
    {
        foreach (['field' => [], 'displayTop' => ['displayTop'], 'displayNavFullWidth' => ['displayNavFullWidth'], 'none' => []] as $box => $hooks) {
            self::connect($box);
            $parts = $this->parts();
            self::assertStringContainsString('data-key="pub_page"', $parts['displayHeader']);
            self::assertSame($box === 'field', str_contains($parts['displayHeader'], 'data-takeover'));
            // Whatever the box is, the field of the test page is served.
            $named = str_contains($parts['displayHeader'], 'data-input=');
            self::assertSame($box === 'field', $named);
            self::assertSame($named, str_contains($parts['displayHeader'], '[name=s], [data-findwell-input]"'));
            foreach (['displayTop', 'displayNavFullWidth'] as $hook) {
                self::assertSame(in_array($hook, $hooks, true), $parts[$hook] !== '', "$box $hook");
            }
            // The style of the box depends on where it stands.
            self::assertSame($box === 'displayTop', str_contains($parts['displayTop'], '"findwell_place":"top"'));
            self::assertSame($box === 'displayNavFullWidth', str_contains($parts['displayNavFullWidth'], '"findwell_place":"bar"'));
            // A file for all media would be combined with others, and stay as it is after an upgrade.
            Context::getContext()->controller = new SearchController();
            $this->module->hookActionFrontControllerSetMedia();
            self::assertSame(
                $hooks === [] ? [] : ['findwell-box' => ['path' => 'modules/findwell/views/css/box.css', 'media' => 'screen', 'version' => Boot::VERSION]],
                Context::getContext()->controller->styles
            );
            self::assertStringNotContainsString('secretsecret', implode($parts));
            self::assertStringContainsString('results.tpl', $parts['displayHeaderCategory']);
        }
        Context::getContext()->controller = new \FrontController();
        self::assertSame('', $this->parts()['displayHeaderCategory']);
    }

    public function testLine(): void
    {
        self::connect('field');
        $line = str_replace('?v=' . Boot::VERSION . '"', '?v=VERSION"', $this->parts()['displayHeader'], $count);
        self::assertSame(1, $count, 'a browser keeps the file for one version');
        self::assertSame(file_get_contents(__DIR__ . '/line.html'), $line . "\n");
    }

    public function testRejectedKeyTakesTheSearchAway(): void
    {
        self::connect('field');
        Settings::of(1)->set('broken', 'key_invalid');
        PageSettings::save(new ShopSync(1));
        self::assertSame('', $this->parts()['displayHeader']);
    }

    public function testFieldOfTheTestPageHasAForm(): void
    {
        $page = (string) file_get_contents(__DIR__ . '/../../findwell/views/templates/front/test.tpl');
        $box = (string) file_get_contents(__DIR__ . '/../../findwell/views/templates/hook/box.tpl');
        self::assertStringNotContainsString('<input', $page);
        self::assertStringContainsString("{include file='module:findwell/views/templates/hook/box.tpl'}", $page);
        self::assertMatchesRegularExpression('/<form action=.*<input type="search" name="s".*data-findwell-input.*<\/form>/s', $box);
    }

    public function testTheBoxWorksWithoutScriptsAndItsStyleTouchesNothingElse(): void
    {
        $box = (string) file_get_contents(__DIR__ . '/../../findwell/views/templates/hook/box.tpl');
        self::assertMatchesRegularExpression('/<form[^>]* method="get" role="search">/', $box);
        foreach (['<input type="search" name="s"', '<button type="submit"'] as $element) {
            self::assertMatchesRegularExpression("/$element [^>]*aria-label=/", $box, $element);
        }
        $style = preg_replace('#/\*.*?\*/#s', '', (string) file_get_contents(__DIR__ . '/../../findwell/views/css/box.css'));
        preg_match_all('/(?<=^|[{}])\s*([^{}]+)\{/', $style, $found);
        self::assertNotSame([], $found[1]);
        foreach ($found[1] as $selector) {
            self::assertMatchesRegularExpression('/^(\.findwell-box|@media )/', $selector);
        }
        self::assertLessThan(3000, strlen($style));
    }

    public function testTemplatesEscape(): void
    {
        foreach (glob(__DIR__ . '/../../findwell/views/templates/*/*.tpl') as $file) {
            preg_match_all('/\{(\$[^}]+|[^}]*\|implode:[^}]+)\}/', (string) file_get_contents($file), $found);
            foreach ($found[1] as $expression) {
                self::assertMatchesRegularExpression("/\\|(escape:'htmlall':'UTF-8'|intval)$/", $expression, basename($file));
            }
            self::assertStringNotContainsString('nofilter', (string) file_get_contents($file));
        }
    }

    public function testLivePrices(): void
    {
        Shopkeeper::product(1);
        Shopkeeper::product(2, ['active' => 0]);
        Shopkeeper::product(3, ['show_price' => 0]);
        $prices = (new LivePrices(Context::getContext()))->of([3, 1, 2, 99]);
        self::assertSame(['2', '99'], $prices['missing']);
        $entries = (array) $prices['prices'];
        self::assertSame(['showPrice' => false, 'orderable' => true], $entries[3]);
        self::assertSame([12.1, '12.10 EUR', 24.2, 50], [$entries[1]['price'], $entries[1]['formatted'], $entries[1]['original'], $entries[1]['discount']]);
        Configuration::$values[1]['PS_CATALOG_MODE'] = 1;
        $hidden = ['showPrice' => false, 'orderable' => false];
        $entry = static fn (): array => ((array) (new LivePrices(Context::getContext()))->of([1])['prices'])[1];
        self::assertSame($hidden, $entry());
        Configuration::$values[1]['PS_CATALOG_MODE_WITH_PRICES'] = 1;
        self::assertSame([12.1, false], [$entry()['price'], $entry()['orderable']]);
        Configuration::$values[1]['PS_CATALOG_MODE'] = 0;
        [Group::$current, Group::$hiding] = [4, [4]];
        self::assertSame($hidden, $entry());
        // Without the feature of groups nobody asks them.
        Group::$isActive = false;
        self::assertTrue($entry()['showPrice']);
    }

    /** Shoppers of a group without prices would see those of a visitor if the service did not know the group. */
    public function testGroupsWithoutPricesAreDeclared(): void
    {
        $tiers = static fn (array $chosen): array =>
            array_column((new ShopSync(1))->base()->facts(new Choices(['tiers' => $chosen]), 'http://shop.example')->tiers['list'], 'groupId');
        self::assertSame(['3'], $tiers([3]));
        Group::$hiding = [2, 4];
        self::assertSame(['3', '2', '4'], $tiers([3]));
        self::assertSame(['4', '2'], $tiers([4]));
        Group::$hiding = [1];
        self::assertSame([], $tiers([]), 'the base');
        [Group::$isActive, Group::$hiding] = [false, [2]];
        self::assertSame([], $tiers([]));
    }

    public function testTheTestPageExplainsDifferences(): void
    {
        Shopkeeper::product(1);
        self::connect('field');
        $page = static fn (): array => (new TestPage(Context::getContext(), new ShopSync(1)))->values();
        self::assertSame([[], 'ES', 'EUR'], [$page()['reasons'], ...array_values($page()['base'])]);
        self::assertFalse($page()['prices'][0]['differs']);
        Context::getContext()->country = (object) ['id' => 8, 'iso_code' => 'FR'];
        Context::getContext()->currency = (object) ['id' => 2, 'iso_code' => 'USD', 'precision' => 2];
        Group::$current = 4;
        self::assertSame(['country', 'currency', 'group'], $page()['reasons']);
        $declared = ['currencies' => ['USD'], 'tiers' => [4], 'countries' => ['fr'], 'cross' => false, 'notes' => []];
        Settings::of(1)->set('declared', $declared);
        self::assertSame([], $page()['reasons']);
        [Group::$current, Group::$hiding] = [4, [4]];
        Context::getContext()->currency = (object) ['id' => 1, 'iso_code' => 'EUR', 'precision' => 2];
        $row = $page()['prices'][0];
        self::assertSame([null, null, false], [$row['indexed'], $row['live'], $row['differs']], 'no price in either');
    }

    /**
     * The first line of visitors as the template prints it; whatever is not printed as a text stays as it stands there.
     *
     * @param array<string, mixed> $visitor
     */
    private static function visitorLine(string $template, array $visitor): string
    {
        self::assertSame(1, preg_match("#<tr><th>\{l s='You' [^}]+\}.*?</tr>#", $template, $line));
        $value = static fn (array $found): string => implode(', ', (array) $visitor[$found[1]]);
        $printed = "/\{(?:', '\|implode:)?\\\$findwell\.visitor\.(\w+)\|escape:'htmlall':'UTF-8'\}/";

        return (string) preg_replace_callback($printed, $value, $line[0]);
    }

    public function testTheTestPageSpeaksInWords(): void
    {
        self::connect('field');
        Settings::of(1)->set('declared', ['currencies' => [], 'tiers' => [4, 9], 'countries' => [], 'cross' => false, 'notes' => []]);
        [Group::$current, FrontController::$groups] = [4, ['3', '4']];
        $page = (new TestPage(Context::getContext(), new ShopSync(1)))->values();
        self::assertSame(['Wholesale', '9'], $page['declared']['tiers'], 'a group that is gone has no name');
        $folder = __DIR__ . '/../../findwell/views/templates/front/';
        $template = (string) file_get_contents($folder . 'test.tpl');
        self::assertStringContainsString(
            '</th><td>en</td><td>EUR</td><td>ES</td><td>Wholesale</td><td>Customer, Wholesale</td></tr>',
            self::visitorLine($template, $page['visitor'])
        );
        self::assertStringContainsString("{block name='page_title'}{l s='Search test' ", $template);
        preg_match_all("/<h2>\{l s='([^']+)' /", $template, $headings);
        self::assertSame(['Last pass', 'Visitor', 'Indexed and live prices'], $headings[1]);
        self::assertStringNotContainsString('{$type|', $template);
        self::assertStringContainsString("<th>{include file='module:findwell/views/templates/front/type.tpl' type=\$type}</th>", $template);
        preg_match_all("/\\\$type === '(\w+)'\}\{l s='[A-Z][a-z]+' /", (string) file_get_contents($folder . 'type.tpl'), $types);
        self::assertSame(Types::ALL, $types[1]);
    }

    public function testVisitor(): void
    {
        $visitor = new Visitor(Context::getContext());
        self::assertSame(['visitor' => null], $visitor->token(), 'not connected');
        self::connect('field');
        self::assertSame(['visitor' => null], $visitor->token(), 'the base');
        Group::$current = 4;
        Context::getContext()->country = (object) ['id' => 8, 'iso_code' => 'FR'];
        self::assertSame(['visitor' => null], $visitor->token(), 'nothing is declared');
        Settings::of(1)->set('declared', ['currencies' => ['USD'], 'tiers' => [4], 'countries' => ['fr'], 'cross' => false, 'notes' => []]);
        $token = $visitor->token()['visitor'];
        $claims = json_decode((string) base64_decode(strtr(explode('.', $token)[1], '-_', '+/')), true);
        self::assertSame([['1'], '4', 'fr'], [array_map('strval', $claims['groups']), (string) $claims['tier'], $claims['country']]);
        self::assertLessThanOrEqual(time() + 3600, $claims['exp']);
        self::assertStringNotContainsString('secretsecret', json_encode($claims));
    }
}
