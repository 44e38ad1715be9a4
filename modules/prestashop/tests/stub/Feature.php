<?php

/**
 * Findwell: stub of the platform for tests: features.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Feature extends ObjectModel
{
    public static function getFeatures($id_lang, $with_shop = true)
    {
        return [['id_feature' => '1', 'name' => 'Size']];
    }
}
