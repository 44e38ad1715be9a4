<?php

/**
 * Findwell: stub of the platform for tests: variants.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Combination extends ObjectModel
{
    public static bool $isActive = true;

    public $id_product;

    public static function isFeatureActive()
    {
        return self::$isActive;
    }
}
