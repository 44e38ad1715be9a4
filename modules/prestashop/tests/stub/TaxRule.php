<?php

/**
 * Findwell: stub of the platform for tests: which tax holds where.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class TaxRule extends ObjectModel
{
}
