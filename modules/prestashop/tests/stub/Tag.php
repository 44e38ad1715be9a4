<?php

/**
 * Findwell: stub of the platform for tests: tags.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Tag extends ObjectModel
{
}
