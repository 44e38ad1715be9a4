<?php

/**
 * Findwell: prepares the tests; the constants are what the shop defines before it loads a module, and classes of the
 * platform come from the stub.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

define('_PS_VERSION_', getenv('FINDWELL_TEST_PLATFORM') ?: '8.2.1');
define('_DB_NAME_', 'shop');
define('_DB_PREFIX_', 'ps_');
define('_COOKIE_KEY_', str_repeat('k', 32));

require __DIR__ . '/../findwell/autoload.php';

spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/' . (str_starts_with($class, 'Findwell\\Tests\\')
        ? str_replace('\\', '/', substr($class, 15))
        : 'stub/' . str_replace('\\', '', $class)) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
