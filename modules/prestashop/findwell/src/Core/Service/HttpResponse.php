<?php

/**
 * Findwell: what came back from the service, before it is understood.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class HttpResponse
{
    /**
     * @param array<string, string> $headers names in lower case
     */
    public function __construct(
        public readonly int $status,
        public readonly string $body,
        public readonly array $headers = []
    ) {
    }
}
