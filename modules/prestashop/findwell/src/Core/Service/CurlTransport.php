<?php

/**
 * Findwell: requests over curl: no redirects, certificates checked, HTTP only.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

use CurlHandle;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class CurlTransport implements Transport
{
    private const BODY_BYTES_MAX = 16777216;

    /** Kept for the life of the object, because its connection serves the next request too. */
    private ?CurlHandle $handle = null;

    public function send(HttpRequest $request): HttpResponse
    {
        $handle = $this->handle ??= curl_init();
        curl_reset($handle);
        $headers = [];
        $body = '';
        curl_setopt_array($handle, $this->options($request) + [
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$headers): int {
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) {
                    $headers[strtolower(trim($parts[0]))] = trim($parts[1]);
                }

                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function ($handle, string $bytes) use (&$body): int {
                $body .= $bytes;

                return strlen($body) > self::BODY_BYTES_MAX ? 0 : strlen($bytes);
            },
        ]);
        $sent = curl_exec($handle);
        $error = curl_error($handle);
        $status = (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        // The handle would hold both bodies until the next request.
        curl_reset($handle);
        if ($sent === false || $status === 0) {
            throw new ConnectionFailed($error === '' ? 'no response' : $error);
        }

        return new HttpResponse($status, $body, $headers);
    }

    /**
     * @return array<int, mixed>
     */
    private function options(HttpRequest $request): array
    {
        $lines = ['Expect:'];
        foreach ($request->headers as $name => $value) {
            $lines[] = $name . ': ' . $value;
        }
        $options = [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_CONNECTTIMEOUT_MS => max(1, (int) ($request->connectTimeout * 1000)),
            CURLOPT_TIMEOUT_MS => max(1, (int) ($request->timeout * 1000)),
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_NOSIGNAL => true,
        ];
        if ($request->body !== null) {
            $options[CURLOPT_POSTFIELDS] = $request->body;
        }

        return $options;
    }
}
