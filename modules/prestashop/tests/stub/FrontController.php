<?php

/**
 * Findwell: stub of the platform for tests: pages of the store.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class FrontController
{
    public static function getCurrentCustomerGroups()
    {
        return [];
    }
}
