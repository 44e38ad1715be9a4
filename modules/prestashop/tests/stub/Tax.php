<?php

/**
 * Findwell: stub of the platform for tests: taxes.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Tax extends ObjectModel
{
}
