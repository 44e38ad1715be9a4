<?php

/**
 * Findwell: a response in JSON that nobody keeps.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Service\Json;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class JsonResponse
{
    /**
     * @param array<string, mixed> $body
     */
    public static function send(int $status, array $body): void
    {
        while (ob_get_level() > 0) {
            ob_end_clean();
        }
        http_response_code($status);
        header('Content-Type: application/json; charset=utf-8');
        header('Cache-Control: no-store, private');
        header('X-Robots-Tag: noindex');
        header('X-Content-Type-Options: nosniff');
        echo Json::encode($body);
    }

    /** The visitor's other requests need not wait for this one. */
    public static function releaseSession(): void
    {
        if (session_status() === PHP_SESSION_ACTIVE) {
            session_write_close();
        }
    }
}
