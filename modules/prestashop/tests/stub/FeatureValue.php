<?php

/**
 * Findwell: stub of the platform for tests: values of features.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class FeatureValue extends ObjectModel
{
}
