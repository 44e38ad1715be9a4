<?php

/**
 * Findwell: a test on the platform's tables, with the module freshly installed in an empty shop; skipped without a
 * database.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform\support;

use Findwell;
use PHPUnit\Framework\TestCase;

abstract class ShopCase extends TestCase
{
    protected Findwell $module;

    protected function setUp(): void
    {
        $missing = Database::missing();
        if ($missing !== null) {
            self::markTestSkipped("SKIPPED: $missing");
        }
        $this->module = Shopkeeper::open();
    }
}
