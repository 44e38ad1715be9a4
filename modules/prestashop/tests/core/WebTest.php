<?php

/**
 * Findwell: tests of what pages, the cron address and forms need.
 * 1. Scripts are removed from cards, and nothing else.
 * 2. A visitor token is a JSON Web Token whose signature and claims are those of the service's documentation.
 * 3. Ids of a request: positive, the first 48, once each.
 * 4. The widget's line stands with a key only, and escapes what it holds; the file that it names is there.
 * 5. A newer version that fits is worth a notice; a malformed, older or unfit one is not.
 * 6. Cron calls: every name, a wrong one, tokens.
 * 7. A form's token is valid for its employee and three hours.
 * 8. Keys never reach the log, nor do long lines.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use Findwell\Core\Web\CardHtml;
use Findwell\Core\Web\CronRequest;
use Findwell\Core\Web\FormToken;
use Findwell\Core\Web\LogLine;
use Findwell\Core\Web\ProductIds;
use Findwell\Core\Web\VersionNotice;
use Findwell\Core\Web\VisitorToken;
use Findwell\Core\Web\WidgetLine;
use InvalidArgumentException;
use PHPUnit\Framework\TestCase;

final class WebTest extends TestCase
{
    /** @dataProvider cards */
    public function testScriptsAreRemoved(string $html, string $expected): void
    {
        self::assertSame($expected, CardHtml::withoutScripts($html));
    }

    public static function cards(): array
    {
        return [
            ['<article>a</article>', '<article>a</article>'],
            ['a<script>x</script>b', 'ab'],
            ['a<SCRIPT src="x">y</ScRiPt >b', 'ab'],
            ['a<script data-x="</script>">y</script>b', 'ab'],
            ["a<script\n>y</script\n>b<script/>c</script>d", 'abd'],
            ['a<script>never closed', 'a'],
            ['a<scripted>b</scripted>', 'a<scripted>b</scripted>'],
            ['<b title="it\'s">x</b><script>"</script>', '<b title="it\'s">x</b>'],
            ['<scr<script>x</script>ipt>alert(1)</script>', ''],
        ];
    }

    public function testVisitorToken(): void
    {
        $token = VisitorToken::sign('ctx_abc', [3, 12], 12, 'fr', 'USD', 1_800_000_000);
        [$head, $claims, $signature] = explode('.', $token);
        $decode = static fn (string $part): string => base64_decode(strtr($part, '-_', '+/'));
        self::assertSame(['alg' => 'HS256', 'typ' => 'JWT'], json_decode($decode($head), true));
        self::assertSame(
            ['groups' => ['3', '12'], 'exp' => 1_800_003_300, 'tier' => '12', 'country' => 'fr', 'currency' => 'USD'],
            json_decode($decode($claims), true)
        );
        self::assertSame(hash_hmac('sha256', "$head.$claims", 'ctx_abc', true), $decode($signature));
        self::assertStringNotContainsString('=', $token);
        $bare = json_decode($decode(explode('.', VisitorToken::sign('c', [], null, null, null, 1))[1]), true);
        self::assertSame(['groups', 'exp'], array_keys($bare));
    }

    public function testIds(): void
    {
        self::assertSame([[1, 22, 3], []], ProductIds::parse('1, 22,3,3,0,-4,x,1e3,,007'));
        [$first, $rest] = ProductIds::parse(implode(',', range(1, 60)));
        self::assertSame([range(1, 48), range(49, 60)], [$first, $rest]);
        foreach ([null, ['1'], '', "1\n;DROP", str_repeat('9', 5000)] as $text) {
            self::assertSame([[], []], ProductIds::parse($text));
        }
    }

    public function testWidgetLine(): void
    {
        $html = static fn (string $key, array $attributes): string =>
            WidgetLine::html('/shop/' . WidgetLine::SCRIPT . '?v=1', 'https://s.example', $key, $attributes);
        self::assertSame(
            '<script src="/shop/views/js/snippet.js?v=1" data-loader="https://s.example/api/v1/widget/loader.js"'
                . ' data-key="pub_1" data-lang="es" defer></script>',
            $html('pub_1', ['lang' => 'es', 'takeover' => false, 'results' => null])
        );
        self::assertSame('', $html('', ['lang' => 'es']));
        self::assertSame('', WidgetLine::html('/x.js', '', 'pub_1', []));
        $line = $html('pub_1', ['input' => '[name="s"]', 'x' => '"><script>', 'takeover' => true]);
        self::assertStringContainsString('data-input="[name=&quot;s&quot;]" data-x="&quot;&gt;&lt;script&gt;" data-takeover defer', $line);
        self::assertFileExists(__DIR__ . '/../../findwell/' . WidgetLine::SCRIPT);
    }

    /** @dataProvider notices */
    public function testVersionNotice(mixed $change, bool $isWorth): void
    {
        $latest = ['version' => '1.10.0', 'url' => 'https://x/z.zip', 'minPlatform' => '8.0.0', 'maxPlatform' => '9.99.99',
            'minPhp' => '8.1', 'hasUpgradeScript' => true, 'reindexAdvised' => false, 'notes' => ['en' => 'New', 'es' => 'Nuevo']];
        $latest = $change === null ? null : array_merge($latest, $change);
        $notice = VersionNotice::of($latest, '1.9.9', '9.1.4', '8.2.36', 'es');
        self::assertSame($isWorth, $notice !== null);
        if ($notice !== null) {
            self::assertTrue($notice['hasUpgradeScript']);
        }
    }

    public static function notices(): array
    {
        return [
            [[], true], [['version' => '1.9.9'], false], [['version' => '1.9.8'], false], [['version' => '2'], false],
            [['version' => '2.0.0-beta'], false], [['version' => ['2.0.0']], false], [null, false],
            [['minPlatform' => '9.2.0'], false], [['maxPlatform' => '8.99.99'], false], [['minPhp' => '8.3'], false],
            [['minPhp' => [1]], false], [['notes' => 'x'], true], [['notes' => ['es' => [1]]], true], [['url' => 'javascript:alert(1)'], true],
        ];
    }

    public function testNoticeHasNoUnsafeAddress(): void
    {
        $notice = VersionNotice::of(['version' => '2.0.0', 'url' => 'javascript:alert(1)', 'notes' => ['en' => 'New']], '1.0.0', '8.2.1', '8.2.0', 'de');
        self::assertSame(['', 'New'], [$notice['url'], $notice['notes']]);
    }

    public function testCronRequests(): void
    {
        $of = static function (mixed $what, mixed $fresh = null): array {
            $request = CronRequest::parse($what, $fresh);

            return [$request->types, $request->mode, $request->isReset, $request->isSliced];
        };
        $all = ['products', 'categories', 'pages', 'brands'];
        self::assertSame([$all, 'incremental', false, true], $of(null));
        self::assertSame([$all, 'fresh', false, true], $of('sync', '1'));
        self::assertSame([['pages'], 'incremental', false, true], $of('sync_cms'));
        self::assertSame([$all, 'incremental', true, true], $of('reset_incremental'));
        self::assertSame([$all, 'full', false, false], $of('full'));
        self::assertSame([['brands'], 'full', false, false], $of('manufacturers'));
        self::assertSame([['products'], 'fresh', false, false], $of('products', '1'));
        foreach (CronRequest::values() as $value) {
            self::assertNotSame([], CronRequest::parse($value, null)->types);
        }
        foreach (['sync_', 'sync_pages', 'SYNC', 'drop table', 'sync_full'] as $wrong) {
            try {
                CronRequest::parse($wrong, null);
                self::fail("accepted: $wrong");
            } catch (InvalidArgumentException $error) {
                self::assertStringContainsString('reset_incremental', $error->getMessage());
            }
        }
    }

    public function testCronToken(): void
    {
        self::assertTrue(CronRequest::mayCall('abc', 'abc'));
        foreach (['', 'abcd', null, ['abc'], 0] as $token) {
            self::assertFalse(CronRequest::mayCall($token, 'abc'));
        }
        self::assertFalse(CronRequest::mayCall('', ''));
    }

    public function testFormToken(): void
    {
        $token = FormToken::create('secret', 7, 1_800_000_000);
        self::assertTrue(FormToken::isValid($token, 'secret', 7, 1_800_000_000 + 7199));
        self::assertFalse(FormToken::isValid($token, 'secret', 7, 1_800_000_000 + 4 * 3600));
        self::assertFalse(FormToken::isValid($token, 'secret', 8, 1_800_000_000));
        self::assertFalse(FormToken::isValid($token, 'other', 7, 1_800_000_000));
        self::assertFalse(FormToken::isValid(null, 'secret', 7, 1_800_000_000));
        self::assertFalse(FormToken::isValid(FormToken::create('secret', 0, 1), 'secret', 0, 1));
    }

    public function testLogLines(): void
    {
        $line = LogLine::of("key con_AbC-9_z refused\nctx_secret " . str_repeat('x', 600));
        self::assertStringStartsWith('key con_••• refused ctx_••• xxx', $line);
        self::assertSame(500, mb_strlen($line));
    }
}
