<?php

/**
 * Findwell: the number in the text of a feature, such as 12.5 in "12,5 cm".
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Document;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class FeatureNumber
{
    private const SPACES = ["\u{00A0}", "\u{202F}", "\u{2007}", "\u{2009}"];

    /**
     * @param iterable<string> $texts values of the feature, in the shop's order
     *
     * @return float|int|null the first number
     */
    public static function first(iterable $texts): float|int|null
    {
        foreach ($texts as $text) {
            $number = self::parse($text);
            if ($number !== null) {
                return $number;
            }
        }

        return null;
    }

    public static function parse(string $text): float|int|null
    {
        $text = str_replace(self::SPACES, ' ', mb_scrub($text, 'UTF-8'));
        $pattern = '/(?<sign>(?<![\p{L}\p{N}])-)?(?<digits>[0-9]{1,3}(?: [0-9]{3})+(?![0-9])(?:[.,][0-9]+)?'
            . '|[0-9]+(?:[.,][0-9]+)*)/u';
        if (preg_match($pattern, $text, $match) !== 1) {
            return null;
        }
        $value = (float) self::withPoint(str_replace(' ', '', $match['digits']));
        if (!is_finite($value)) {
            return null;
        }
        $value = $match['sign'] === '-' ? -$value : $value;

        return floor($value) === $value && abs($value) < 1e15 ? (int) $value : $value;
    }

    /** The number with a decimal point and without other separators. */
    private static function withPoint(string $digits): string
    {
        $points = substr_count($digits, '.');
        $commas = substr_count($digits, ',');
        if ($points > 0 && $commas > 0) {
            $decimal = strrpos($digits, '.') > strrpos($digits, ',') ? '.' : ',';
            $digits = str_replace($decimal === '.' ? ',' : '.', '', $digits);
            if (substr_count($digits, $decimal) > 1) {
                return str_replace($decimal, '', $digits);
            }

            return str_replace($decimal, '.', $digits);
        }

        return $points + $commas > 1 ? str_replace(['.', ','], '', $digits) : str_replace(',', '.', $digits);
    }
}
