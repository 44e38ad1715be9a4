<?php

/**
 * Findwell: the line that adds the search widget to a page of the store, by a file of the store's own: while a page
 * loads, a script of a service that does not respond would hold up its `load` event.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Web;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class WidgetLine
{
    /** The script of the line, in the module's folder; the widget's build writes it. */
    public const SCRIPT = 'views/js/snippet.js';

    /**
     * @param string $script address of the module's own script on the store
     * @param array<string, string|bool|null> $attributes names without `data-`; null and false are left out
     *
     * @return string nothing at all without a key
     */
    public static function html(string $script, string $baseAddress, string $publicKey, array $attributes): string
    {
        if ($publicKey === '' || $baseAddress === '') {
            return '';
        }
        $line = '<script src="' . self::escaped($script) . '"';
        $required = ['loader' => $baseAddress . '/api/v1/widget/loader.js', 'key' => $publicKey];
        foreach ($required + $attributes as $name => $value) {
            if ($value === true) {
                $line .= ' data-' . $name;
            } elseif (is_string($value) && $value !== '') {
                $line .= ' data-' . $name . '="' . self::escaped($value) . '"';
            }
        }

        return $line . ' defer></script>';
    }

    private static function escaped(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML5, 'UTF-8');
    }
}
