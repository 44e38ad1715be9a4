<?php
/**
 * Findwell: loads the module's classes; in the syntax of PHP 7.2, because older shops load it before they refuse it.
 *
 * @license Apache-2.0
 */

if (!defined('_PS_VERSION_')) {
    exit;
}

spl_autoload_register(static function ($class) {
    if (strpos($class, 'Findwell\\') !== 0) {
        return;
    }
    $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, 9)) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
