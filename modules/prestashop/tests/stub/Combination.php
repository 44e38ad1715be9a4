<?php

/**
 * Findwell: stub of the platform for tests: variants.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Combination extends ObjectModel
{
    public $id_product;
}
