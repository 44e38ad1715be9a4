<?php

/**
 * Findwell: an error response of the service, or its absence, as an exception.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

use RuntimeException;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ServiceError extends RuntimeException
{
    /**
     * @param int $status HTTP status; 0 if there was no response
     * @param string $errorCode stable code of the service, or `unreachable` or `malformed`
     * @param array<string, mixed> $details
     */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly array $details = [],
        public readonly ?int $retryAfter = null
    ) {
        parent::__construct($message);
    }

    /** The key is refused, so that no call can succeed until it is changed. */
    public function endsConnection(): bool
    {
        return $this->status === 401 || ($this->status === 403 && $this->errorCode === 'key_kind');
    }

    /** The service does not know the operation. */
    public function isUnknownOperation(): bool
    {
        return $this->status === 404;
    }

    /** Another attempt later can succeed without a change. */
    public function isTransient(): bool
    {
        return $this->status === 0 || $this->status === 408 || $this->status === 429 || $this->status >= 500;
    }

    /** Whether this call has sent as many requests as it may; nothing is wrong. */
    public function isPaced(): bool
    {
        return $this->errorCode === 'paced';
    }

    public function isPlanLimit(): bool
    {
        return $this->status === 403 && $this->errorCode === 'plan_limit';
    }
}
