<?php

/**
 * Findwell: plain text of what a shop stores as HTML.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Text
{
    public const CHARACTERS_MAX = 20000;

    public static function plain(?string $html, int $charactersMax = self::CHARACTERS_MAX): string
    {
        if ($html === null || $html === '') {
            return '';
        }
        $text = mb_scrub($html, 'UTF-8');
        $text = (string) preg_replace('#<(script|style)\b[^>]*>.*?(</\1\s*>|$)#isu', ' ', $text);
        // A comparison such as "a < b" is no tag: a tag starts with a letter, a slash or an exclamation mark.
        $text = (string) preg_replace('#<[/!a-zA-Z][^>]*>?#u', ' ', $text);
        $text = html_entity_decode($text, ENT_QUOTES | ENT_HTML5, 'UTF-8');
        $text = (string) preg_replace('/[\s\x{00A0}\x{0000}-\x{001F}\x{007F}]+/u', ' ', $text);

        return mb_substr(trim($text), 0, $charactersMax, 'UTF-8');
    }
}
