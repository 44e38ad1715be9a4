<?php

/**
 * Findwell: stub of the platform for tests: languages.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Language extends ObjectModel
{
    /** @var list<array<string, mixed>> */
    public static array $rows = [
        ['id_lang' => 1, 'iso_code' => 'en', 'locale' => 'en-US', 'name' => 'English'],
        ['id_lang' => 2, 'iso_code' => 'es', 'locale' => 'es-ES', 'name' => 'Español'],
    ];

    public static function getLanguages($active = true, $id_shop = false, $ids_only = false)
    {
        return self::$rows;
    }
}
