<?php

/**
 * Findwell: stub of the platform for tests: pictures.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Image extends ObjectModel
{
    public $id_product;
}
