<?php

/**
 * Findwell: the line that adds the search widget to a page of the store.
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
    /**
     * @param array<string, string|bool|null> $attributes names without `data-`; null and false are left out
     *
     * @return string nothing at all without a key
     */
    public static function html(string $baseAddress, string $publicKey, array $attributes): string
    {
        if ($publicKey === '' || $baseAddress === '') {
            return '';
        }
        $line = '<script src="' . self::escaped($baseAddress . '/api/v1/widget/loader.js') . '"';
        foreach (['key' => $publicKey] + $attributes as $name => $value) {
            if ($value === true) {
                $line .= ' data-' . $name;
            } elseif (is_string($value) && $value !== '') {
                $line .= ' data-' . $name . '="' . self::escaped($value) . '"';
            }
        }

        return $line . ' async></script>';
    }

    private static function escaped(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML5, 'UTF-8');
    }
}
