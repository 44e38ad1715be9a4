<?php

/**
 * Findwell: stub of the platform for tests: the page of the platform's own search.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class SearchController extends FrontController
{
}
