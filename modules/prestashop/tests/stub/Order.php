<?php

/**
 * Findwell: stub of the platform for tests: orders.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Order extends ObjectModel
{
}
