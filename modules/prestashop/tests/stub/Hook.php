<?php

/**
 * Findwell: stub of the platform for tests: runs the modules that are registered, and catches what the platform catches: no errors.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Hook
{
    /** @var list<string> */
    public static array $executed = [];

    public static function exec($hook_name, $hook_args = [])
    {
        self::$executed[] = $hook_name;
        $method = 'hook' . ucfirst($hook_name);
        $module = Module::getInstanceByName('findwell');
        if ($module === false || !method_exists($module, $method)) {
            return '';
        }
        try {
            return $module->{$method}($hook_args);
        } catch (Exception) {
            return '';
        }
    }
}
