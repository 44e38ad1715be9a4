<?php

/**
 * Findwell: how a request reaches the service; tests have transports in memory.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

if (!defined('_PS_VERSION_')) {
    exit;
}

interface Transport
{
    /**
     * @throws ConnectionFailed if no response arrived in time
     */
    public function send(HttpRequest $request): HttpResponse;
}
