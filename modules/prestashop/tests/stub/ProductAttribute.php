<?php

/**
 * Findwell: stub of the platform for tests: values of attributes.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class ProductAttribute extends ObjectModel
{
}
