<?php

/**
 * Findwell: the theme's markup of a product without its script elements.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Web;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class CardHtml
{
    /** Removes `<script>` elements; a parser would rewrite the rest of the theme's markup. */
    public static function withoutScripts(string $html): string
    {
        // What is left of a removed element may form another one with the text around it.
        do {
            $before = strlen($html);
            $html = self::once($html);
        } while (strlen($html) < $before);

        return $html;
    }

    private static function once(string $html): string
    {
        $clean = '';
        $at = 0;
        while (preg_match('/<script(?=[\s\/>]|$)/i', $html, $match, PREG_OFFSET_CAPTURE, $at) === 1) {
            $start = $match[0][1];
            $clean .= substr($html, $at, $start - $at);
            $open = self::endOfTag($html, $start);
            if (preg_match('/<\/script(?=[\s\/>]|$)/i', $html, $end, PREG_OFFSET_CAPTURE, $open) !== 1) {
                return $clean;
            }
            $at = self::endOfTag($html, $end[0][1]);
        }

        return $clean . substr($html, $at);
    }

    /** Offset behind the `>` of a tag; one inside a quoted attribute does not end it. */
    private static function endOfTag(string $html, int $start): int
    {
        $quote = null;
        for ($at = $start, $length = strlen($html); $at < $length; ++$at) {
            $byte = $html[$at];
            if ($quote !== null) {
                $quote = $byte === $quote ? null : $quote;
            } elseif (($byte === '"' || $byte === "'") && preg_match('/=\s*$/', substr($html, max($start, $at - 32), min(32, $at - $start))) === 1) {
                $quote = $byte;
            } elseif ($byte === '>') {
                return $at + 1;
            }
        }

        return strlen($html);
    }
}
