<?php

/**
 * Findwell: stub of the platform for tests: pages of the store.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class FrontController
{
    /** @var list<string> groups of the visitor, as the database has them */
    public static array $groups = [];
    /** @var array<string, array<string, mixed>> path and parameters by id */
    public array $styles = [];

    public function registerStylesheet($id, $relativePath, $params = [])
    {
        $this->styles[$id] = ['path' => $relativePath] + $params;
    }

    public static function getCurrentCustomerGroups()
    {
        return self::$groups;
    }
}
