<?php

/**
 * Findwell: a line of the log: keys masked, cut to a length.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Web;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class LogLine
{
    private const CHARACTERS_MAX = 500;

    public static function of(string $text): string
    {
        $text = preg_replace('/\b(con|cfg|pub|ctx)_[A-Za-z0-9_-]+/', '$1_•••', mb_scrub($text, 'UTF-8'));
        $text = preg_replace('/[\x00-\x1F\x7F]+/', ' ', (string) $text);

        return mb_substr((string) $text, 0, self::CHARACTERS_MAX, 'UTF-8');
    }
}
