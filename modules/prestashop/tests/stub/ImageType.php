<?php

/**
 * Findwell: stub of the platform for tests: sizes of pictures.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class ImageType
{
    public static function getFormattedName($name)
    {
        return $name . '_default';
    }

    public static function getImagesTypes($type = null, $order_by_size = false)
    {
        return [['name' => 'home_default'], ['name' => 'large_default']];
    }
}
