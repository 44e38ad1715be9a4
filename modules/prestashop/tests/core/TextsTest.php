<?php

/**
 * Findwell: tests of the module's texts.
 * 1. Every text of templates and of the main class stands in English, Spanish, French, German and Italian.
 * 2. A translation has an id that the platform finds it by, and no text that nobody uses.
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

    public static function locales(): array
    {
        return [['en-US'], ['es-ES'], ['fr-FR'], ['de-DE'], ['it-IT']];
    }
}
