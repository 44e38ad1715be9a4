<?php

/**
 * Findwell: prepares the tests; the version constant is what the shop defines before it loads a module.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

define('_PS_VERSION_', getenv('FINDWELL_TEST_PLATFORM') ?: '8.2.1');

require __DIR__ . '/../findwell/autoload.php';

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Findwell\\Tests\\')) {
        return;
    }
    $file = __DIR__ . '/' . str_replace('\\', '/', substr($class, 15)) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
