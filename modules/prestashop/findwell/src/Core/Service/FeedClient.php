<?php

/**
 * Findwell: the operations of the service that the module calls, with time limits, pace and retries.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class FeedClient
{
    private const CONNECT_SECONDS = 3.0;
    private const BULK_SECONDS = 20.0;
    private const OTHER_SECONDS = 10.0;
    private const RETRY_WAITS = [1.0, 4.0];
    private const GZIP_BYTES = 65536;

    /**
     * @param float $secondsMax upper limit of one request; a hook allows less than a pass
     * @param float $connectSecondsMax upper limit of connecting
     */
    public function __construct(
        private readonly Transport $transport,
        private readonly Clock $clock,
        private readonly RateGate $gate,
        private readonly Capabilities $capabilities,
        private readonly string $baseAddress,
        private readonly string $key,
        private readonly string $clientHeader,
        private readonly bool $retries = true,
        private readonly float $secondsMax = 60.0,
        private readonly float $connectSecondsMax = 3.0
    ) {
    }

    public function supports(string $operation): bool
    {
        return $this->capabilities->supports($operation, (int) $this->clock->now());
    }

    /**
     * What was learnt of the service's operations, to be stored.
     *
     * @return array<string, mixed>
     */
    public function learnt(): array
    {
        return $this->capabilities->store();
    }

    /**
     * Calls an operation and returns `data` of the response.
     *
     * @param array<string, mixed>|null $body null for GET
     *
     * @return array<string, mixed>
     *
     * @throws ServiceError
     */
    public function call(string $operation, string $path, ?array $body, Deadline $deadline): array
    {
        $text = $body === null ? null : Json::encode($body === [] ? new \stdClass() : $body);
        for ($attempt = 0;; ++$attempt) {
            try {
                return $this->once($operation, $path, $text, $deadline);
            } catch (ServiceError $error) {
                if ($error->isUnknownOperation()) {
                    $this->capabilities->markMissing($operation, (int) $this->clock->now());
                }
                $wait = $this->waitBefore($error, $attempt);
                if ($wait === null || $wait >= $deadline->remaining()) {
                    throw $error;
                }
                $this->clock->sleep($wait);
            }
        }
    }

    /** Seconds to wait before the same request is sent again, null if it is not. */
    private function waitBefore(ServiceError $error, int $attempt): ?float
    {
        if (!$this->retries || $attempt >= count(self::RETRY_WAITS)) {
            return null;
        }
        if ($error->status === 429) {
            return (float) max(1, $error->retryAfter ?? 60);
        }
        if ($error->status === 0 && $error->errorCode === 'unreachable' || in_array($error->status, [502, 503, 504], true)) {
            return max(self::RETRY_WAITS[$attempt], (float) ($error->retryAfter ?? 0));
        }

        return null;
    }

    /**
     * @return array<string, mixed>
     */
    private function once(string $operation, string $path, ?string $text, Deadline $deadline): array
    {
        if (!$this->gate->pass($deadline)) {
            throw new ServiceError(429, 'paced', 'the pace of requests leaves no time in this call');
        }
        $seconds = min($operation === 'bulk' ? self::BULK_SECONDS : self::OTHER_SECONDS, $this->secondsMax);
        if (!$this->retries) {
            $seconds = min($seconds, max(0.05, $deadline->remaining()));
        }
        try {
            $response = $this->transport->send($this->request($path, $text, $seconds));
        } catch (ConnectionFailed $failure) {
            throw new ServiceError(0, 'unreachable', $failure->getMessage());
        }

        return self::data($response);
    }

    private function request(string $path, ?string $text, float $seconds): HttpRequest
    {
        $headers = [
            'X-API-Key' => $this->key,
            ClientHeader::NAME => $this->clientHeader,
            'Accept' => 'application/json',
        ];
        if ($text !== null) {
            $headers['Content-Type'] = 'application/json';
            if (strlen($text) > self::GZIP_BYTES) {
                $headers['Content-Encoding'] = 'gzip';
                $text = gzencode($text, 5);
            }
        }

        return new HttpRequest(
            $text === null ? 'GET' : 'POST',
            $this->baseAddress . '/api/v1' . $path,
            $headers,
            $text,
            $seconds,
            min(self::CONNECT_SECONDS, $this->connectSecondsMax, $seconds)
        );
    }

    /**
     * @return array<string, mixed>
     */
    private static function data(HttpResponse $response): array
    {
        $body = Json::decode($response->body);
        if ($response->status >= 200 && $response->status < 300) {
            if ($body === null || !is_array($body['data'] ?? null)) {
                throw new ServiceError(0, 'malformed', 'the address responds, but not as the service does');
            }

            return $body['data'];
        }
        $retryAfter = $response->headers['retry-after'] ?? $body['retryAfter'] ?? null;
        $details = $body['details'] ?? [];

        throw new ServiceError(
            $response->status,
            is_string($body['code'] ?? null) ? $body['code'] : 'http_' . $response->status,
            is_string($body['message'] ?? null) ? $body['message'] : 'HTTP status ' . $response->status,
            is_array($details) ? $details : [],
            is_numeric($retryAfter) ? (int) $retryAfter : null
        );
    }
}
