<?php

/**
 * Findwell: one request to the service, before it is sent.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class HttpRequest
{
    /**
     * @param array<string, string> $headers
     * @param float $timeout seconds for everything
     * @param float $connectTimeout seconds until the connection stands
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly ?string $body,
        public readonly float $timeout,
        public readonly float $connectTimeout
    ) {
    }
}
