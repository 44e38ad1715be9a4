<?php

/**
 * Findwell: stub of the platform for tests: folders of content.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class CMSCategory extends ObjectModel
{
}
