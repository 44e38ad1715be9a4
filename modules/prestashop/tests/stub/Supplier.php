<?php

/**
 * Findwell: stub of the platform for tests: suppliers.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Supplier extends ObjectModel
{
}
