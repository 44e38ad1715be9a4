<?php

/**
 * Findwell: stub of the platform for tests: countries.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Country
{
    /** Whether the shop sells to France, too. */
    public static bool $isFranceActive = true;

    public static function getCountriesByIdShop($idShop, $idLang)
    {
        return [
            ['id_country' => '6', 'iso_code' => 'ES', 'name' => 'Spain', 'active' => '1'],
            ['id_country' => '8', 'iso_code' => 'FR', 'name' => 'France', 'active' => self::$isFranceActive ? '1' : '0'],
        ];
    }

    public static function getIsoById($idCountry)
    {
        return (int) $idCountry === 6 ? 'ES' : 'FR';
    }
}
