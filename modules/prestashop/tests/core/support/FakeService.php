<?php

/**
 * Findwell: a service in memory that keeps documents and runs as the real one does; any call can be answered otherwise.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core\support;

use Findwell\Core\Service\ConnectionFailed;
use Findwell\Core\Service\HttpRequest;
use Findwell\Core\Service\HttpResponse;
use Findwell\Core\Service\Transport;

final class FakeService implements Transport
{
    /** @var list<array{path: string, body: array<string, mixed>, request: HttpRequest}> */
    public array $calls = [];
    /** @var array<string, array<string, array<string, array<string, mixed>>>> type, language, id => document */
    public array $documents = [];
    /** @var array<string, mixed>|null the open run */
    public ?array $run = null;
    /** @var list<callable(string, array<string, mixed>): ?HttpResponse> */
    public array $overrides = [];
    /** @var array<string, mixed> */
    public array $plan = ['plan' => 'pro', 'maxPriceTiers' => 3, 'maxCurrencies' => 2, 'maxPriceCountries' => 5];
    /** @var list<string>|null */
    public ?array $capabilities = ['indices', 'public-key', 'plan', 'runs', 'touch', 'bulk', 'delete', 'clear',
        'currencies', 'price-tiers', 'price-countries', 'access-groups'];
    public string $storeId = 'store1';

    public function send(HttpRequest $request): HttpResponse
    {
        $path = substr($request->url, strpos($request->url, '/api/v1') + 7);
        $text = (string) $request->body;
        if (($request->headers['Content-Encoding'] ?? '') === 'gzip') {
            $text = gzdecode($text);
        }
        $body = $text === '' ? [] : json_decode($text, true);
        $this->calls[] = ['path' => $path, 'body' => $body, 'request' => $request];
        foreach ($this->overrides as $override) {
            $response = $override($path, $body);
            if ($response !== null) {
                return $response;
            }
        }

        return $this->respond($path, $body);
    }

    /** Answers the calls of a path with a status, `$times` times. */
    public function reject(string $pattern, int $status, string $code, int $times = PHP_INT_MAX, array $more = []): void
    {
        $this->overrides[] = static function (string $path) use ($pattern, $status, $code, $more, &$times): ?HttpResponse {
            if ($times <= 0 || preg_match($pattern, $path) !== 1) {
                return null;
            }
            --$times;
            if ($status === 0) {
                throw new ConnectionFailed('connection refused');
            }

            return self::error($status, $code, $more);
        };
    }

    /**
     * @return list<array<string, mixed>> bodies of the calls whose path matches
     */
    public function bodies(string $pattern): array
    {
        $calls = array_filter($this->calls, static fn (array $call): bool => preg_match($pattern, $call['path']) === 1);

        return array_values(array_column($calls, 'body'));
    }

    /**
     * @return list<string> ids sent in blocks
     */
    public function sentIds(string $type = 'products', string $language = 'es'): array
    {
        $ids = [];
        foreach ($this->bodies("#^/feed/$type/bulk$#") as $body) {
            if ($body['language'] === $language) {
                array_push($ids, ...array_column($body['documents'], 'id'));
            }
        }

        return $ids;
    }

    public static function error(int $status, string $code, array $more = []): HttpResponse
    {
        $body = ['success' => false, 'code' => $code, 'message' => "refused: $code"] + $more;

        return new HttpResponse($status, json_encode($body));
    }

    private function respond(string $path, array $body): HttpResponse
    {
        if (preg_match('#^/feed/(\w+)/bulk$#', $path, $match) === 1) {
            return $this->bulk($match[1], $body);
        }
        if (preg_match('#^/feed/(\w+)/delete$#', $path, $match) === 1) {
            return $this->delete($match[1], $body);
        }
        if (preg_match('#^/feed/runs/(\w+)/(close|abort)$#', $path, $match) === 1) {
            return $match[2] === 'close' ? $this->close($match[1], $body) : $this->abort($match[1]);
        }

        return match ($path) {
            '/feed/connect' => self::data(['storeId' => $this->storeId, 'name' => 'Test shop', 'capabilities' => $this->capabilities]),
            '/feed/indices' => self::data(['languages' => ['indexed' => array_column($body['languages'], 'code'), 'skipped' => []]]),
            '/feed/public-key' => self::data(['publicKey' => 'pub_x', 'contextSecret' => 'ctx_x', 'created' => true]),
            '/feed/plan' => self::data($this->plan),
            '/feed/runs' => $this->open($body),
            '/feed/touch' => $this->touch($body),
            '/feed/products/clear' => self::data(['cleared' => $this->clear($body)]),
            '/feed/currencies', '/feed/price-tiers', '/feed/price-countries', '/feed/access-groups' => self::data(['accepted' => []]),
            default => self::error(404, 'not_found'),
        };
    }

    private static function data(array $data, int $status = 200): HttpResponse
    {
        return new HttpResponse($status, json_encode(['success' => true, 'data' => $data]));
    }

    private function open(array $body): HttpResponse
    {
        if ($this->run !== null && $this->run['client'] === $body['clientRunId']) {
            return self::data(['runId' => $this->run['id'], 'resumed' => true]);
        }
        if ($this->run !== null && ($this->run['type'] ?? $body['types'][0]) === $body['types'][0]) {
            return self::error(409, 'run_open', ['details' => ['runId' => $this->run['id']]]);
        }
        $this->run = ['id' => 'run' . count($this->calls), 'client' => $body['clientRunId'], 'type' => $body['types'][0], 'seen' => []];

        return self::data(['runId' => $this->run['id'], 'resumed' => false], 201);
    }

    private function bulk(string $type, array $body): HttpResponse
    {
        if (isset($body['runId']) && $body['runId'] !== ($this->run['id'] ?? null)) {
            return self::error(410, 'run_gone');
        }
        $rejected = [];
        foreach ($body['documents'] as $index => $document) {
            if (str_contains($document['name'] ?? $document['title'] ?? '', 'REJECT')) {
                $rejected[] = ['index' => $index, 'id' => $document['id'], 'code' => 'invalid_document', 'field' => 'name', 'message' => 'no'];
                continue;
            }
            $this->documents[$type][$body['language']][$document['id']] = $document;
            if (isset($body['runId'])) {
                $this->run['seen'][$body['language']][$document['id']] = true;
            }
        }

        return self::data(['received' => count($body['documents']), 'stale' => [], 'rejected' => $rejected]);
    }

    private function touch(array $body): HttpResponse
    {
        if ($body['runId'] !== ($this->run['id'] ?? null)) {
            return self::error(410, 'run_gone');
        }
        $lists = ['missing' => [], 'changed' => []];
        foreach ($body['items'] as $item) {
            $stored = $this->documents[$body['type']][$body['language']][$item['id']] ?? null;
            if ($stored === null || $stored['hash'] !== $item['hash']) {
                $lists[$stored === null ? 'missing' : 'changed'][] = $item['id'];
            } else {
                $this->run['seen'][$body['language']][$item['id']] = true;
            }
        }

        return self::data($lists);
    }

    private function delete(string $type, array $body): HttpResponse
    {
        $deleted = 0;
        foreach ($body['languages'] ?? array_keys($this->documents[$type] ?? []) as $language) {
            foreach ($body['ids'] as $id) {
                $deleted += isset($this->documents[$type][$language][$id]) ? 1 : 0;
                unset($this->documents[$type][$language][$id]);
            }
        }

        return self::data(['deleted' => $deleted, 'missing' => [], 'stale' => []]);
    }

    private function clear(array $body): array
    {
        foreach ($body['keepServing'] ? [] : $body['languages'] as $language) {
            $this->documents['products'][$language] = [];
        }

        return [];
    }

    private function close(string $id, array $body): HttpResponse
    {
        if ($id !== ($this->run['id'] ?? null)) {
            return self::error(410, 'run_gone');
        }
        $scopes = [];
        foreach ($body['scopes'] as $scope) {
            $stored = $this->documents[$scope['type']][$scope['language']] ?? [];
            $seen = $this->run['seen'][$scope['language']] ?? [];
            $isMatch = count($seen) === $scope['sent'] + $scope['touched'];
            $gone = $isMatch ? array_diff_key($stored, $seen) : [];
            $this->documents[$scope['type']][$scope['language']] = array_diff_key($stored, $gone);
            $scopes[] = $scope + ['status' => $isMatch ? 'purged' : 'mismatch', 'purged' => count($gone)];
        }
        $this->run = null;

        return self::data(['scopes' => $scopes]);
    }

    private function abort(string $id): HttpResponse
    {
        if ($id !== ($this->run['id'] ?? null)) {
            return self::error(410, 'run_gone');
        }
        $this->run = null;

        return self::data([]);
    }
}
