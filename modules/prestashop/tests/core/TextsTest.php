<?php

/**
 * Findwell: tests of the module's texts.
 * 1. Every text of templates and of the main class stands in English, Spanish, French, German and Italian.
 * 2. A translation has an id that the platform finds it by, and no text that nobody uses.
 * 3. A translation has the placeholders and the markup of its source, and it is no copy of it in another language.
 * 4. In each language a help text stands below groups, countries, prices of the moment and product cards in the settings.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use PHPUnit\Framework\TestCase;

final class TextsTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../findwell/';

    /**
     * @return array<string, list<string>> domain => texts
     */
    private static function used(): array
    {
        $used = ['Admin' => [], 'Shop' => []];
        foreach (glob(self::ROOT . 'views/templates/*/*.tpl') as $file) {
            preg_match_all("/\{l s='((?:[^'\\\\]|\\\\.)*)' d='Modules\.Findwell\.(Admin|Shop)'/", file_get_contents($file), $found, PREG_SET_ORDER);
            foreach ($found as [, $text, $domain]) {
                $used[$domain][] = stripslashes($text);
            }
        }
        preg_match_all("/trans\('((?:[^'\\\\]|\\\\.)*)', \[\], 'Modules\.Findwell\.Admin'/", file_get_contents(self::ROOT . 'findwell.php'), $found);
        array_push($used['Admin'], ...array_map('stripslashes', $found[1]));

        return array_map(static function (array $texts): array {
            $texts = array_values(array_unique($texts));
            sort($texts);

            return $texts;
        }, $used);
    }

    /** @dataProvider locales */
    public function testEveryTextIsTranslated(string $locale): void
    {
        self::assertGreaterThan(60, count(self::used()['Admin']));
        foreach (self::used() as $domain => $texts) {
            $file = self::ROOT . "translations/$locale/ModulesFindwell$domain.$locale.xlf";
            $translated = [];
            foreach (simplexml_load_file($file)->file->body->{'trans-unit'} as $unit) {
                self::assertSame(md5((string) $unit->source), (string) $unit['id']);
                self::assertNotSame('', trim((string) $unit->target));
                $translated[] = (string) $unit->source;
            }
            sort($translated);
            self::assertSame($texts, $translated, "$locale $domain");
        }
    }

    /** @return list<string> */
    private static function placeholders(string $text): array
    {
        preg_match_all('/%[a-z0-9_]+%|%(?:\d+\$)?[sd]|\{[a-z0-9_]*\}|<[^>]*>/i', $text, $found);
        sort($found[0]);

        return $found[0];
    }

    /** @dataProvider locales */
    public function testPlaceholders(string $locale): void
    {
        self::assertSame(['%1$s', '%name%', '<b>', '{0}'], self::placeholders('{0} <b>%name% 5 % of %1$s'));
        $copies = [];
        $all = 0;
        foreach (['Admin', 'Shop'] as $domain) {
            $file = simplexml_load_file(self::ROOT . "translations/$locale/ModulesFindwell$domain.$locale.xlf");
            self::assertSame($locale, (string) $file->file['target-language']);
            foreach ($file->file->body->{'trans-unit'} as $unit) {
                self::assertSame(self::placeholders((string) $unit->source), self::placeholders((string) $unit->target), (string) $unit->source);
                ++$all;
                if ((string) $unit->source === (string) $unit->target) {
                    $copies[] = (string) $unit->source;
                }
            }
        }
        self::assertSame($locale === 'en-US', count($copies) > 0.1 * $all, implode(' | ', $copies));
    }

    /** @dataProvider locales */
    public function testHelpTexts(string $locale): void
    {
        $page = (string) file_get_contents(self::ROOT . 'views/templates/admin/settings.tpl');
        $translated = [];
        $file = simplexml_load_file(self::ROOT . "translations/$locale/ModulesFindwellAdmin.$locale.xlf");
        foreach ($file->file->body->{'trans-unit'} as $unit) {
            $translated[(string) $unit->source] = (string) $unit->target;
        }
        foreach (['tiers\[\]', 'countries\[\]', 'live_prices', 'cards'] as $name) {
            // No other field stands between a field and its help.
            $below = "/ name=\"$name\"(?:(?! name=\").)+?<p class=\"help-block form-text\">\{l s='([^']{60,})' d='Modules\.Findwell\.Admin'\}<\/p>/s";
            self::assertSame(1, preg_match($below, $page, $help), $name);
            $target = $translated[$help[1]] ?? '';
            self::assertGreaterThan(60, mb_strlen($target), "$locale $name");
            self::assertSame($locale === 'en-US', $target === $help[1], "$locale $name");
        }
    }

    public static function locales(): array
    {
        return [['en-US'], ['es-ES'], ['fr-FR'], ['de-DE'], ['it-IT']];
    }
}
