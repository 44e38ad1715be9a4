<?php

/**
 * Findwell: runs code of a test inside a shop, as its administration does.
 *
 * Usage: php run.php <folder of the shop> <address>, with the code on standard input; what it returns is printed as JSON.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

error_reporting(E_ERROR);
[, $folder, $address] = $argv;
$_SERVER['HTTP_HOST'] = preg_replace('#^https?://|/$#', '', $address);
$_SERVER['SERVER_NAME'] = $_SERVER['HTTP_HOST'];
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['REQUEST_URI'] = '/';
chdir($folder);
$admin = dirname(glob($folder . '/*/themes/new-theme')[0] ?? $folder . '/admin/themes/x', 2);
define('_PS_ADMIN_DIR_', $admin);
require $folder . '/config/config.inc.php';
require_once $folder . '/app/AppKernel.php';
if (is_file($folder . '/app/AdminKernel.php')) {
    require_once $folder . '/app/AdminKernel.php';
}
$class = class_exists('AdminKernel') ? 'AdminKernel' : 'AppKernel';
$kernel = new $class('prod', false);
$GLOBALS['kernel'] = $kernel;
$kernel->boot();
Context::getContext()->employee = new Employee(1);
Shop::setContext(Shop::CONTEXT_SHOP, 1);
// Loads the module's classes, too.
Module::getInstanceByName('findwell');
ob_start();
$result = eval(stream_get_contents(STDIN));
ob_end_clean();
fwrite(STDOUT, json_encode($result));
