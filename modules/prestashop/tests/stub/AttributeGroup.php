<?php

/**
 * Findwell: stub of the platform for tests: attributes.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class AttributeGroup extends ObjectModel
{
}
