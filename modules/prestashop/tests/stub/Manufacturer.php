<?php

/**
 * Findwell: stub of the platform for tests: an object with an address.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Manufacturer extends ObjectModel
{
    public $link_rewrite;
    public $name;
    public $meta_title;
}
