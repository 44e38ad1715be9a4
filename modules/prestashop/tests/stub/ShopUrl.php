<?php

/**
 * Findwell: stub of the platform for tests: addresses of shops.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class ShopUrl extends ObjectModel
{
}
