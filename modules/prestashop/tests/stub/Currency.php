<?php

/**
 * Findwell: stub of the platform for tests: currencies.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Currency extends ObjectModel
{
    private const CODES = [1 => 'EUR', 2 => 'USD'];

    public string $iso_code;
    public int $precision = 2;

    public function __construct($id = null)
    {
        $this->id = (int) $id;
        $this->iso_code = self::CODES[$this->id] ?? '';
    }

    public static function getCurrenciesByIdShop($idShop = 0)
    {
        return [['id' => '1', 'deleted' => '0', 'active' => '1'], ['id' => '2', 'deleted' => '0', 'active' => '1']];
    }

    public static function getCurrencyInstance($id)
    {
        return new self($id);
    }

    public function getSymbol()
    {
        return $this->iso_code === 'EUR' ? '€' : '$';
    }
}
