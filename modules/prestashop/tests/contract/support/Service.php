<?php

/**
 * Findwell: the real service on loopback, behind the recording proxy, with as many stores as tests need.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\contract\support;

use RuntimeException;

final class Service
{
    public readonly string $address;
    public readonly string $direct;
    private readonly string $folder;
    private readonly string $binary;
    /** @var list<string> */
    private readonly array $serve;
    private int $process;

    /**
     * @param list<string> $options of the service
     */
    public function __construct(array $options = [])
    {
        $this->binary = self::binary();
        $this->folder = sys_get_temp_dir() . '/findwell-contract-' . getmypid() . '-' . bin2hex(random_bytes(4));
        mkdir($this->folder);
        file_put_contents($this->folder . '/rules.json', '[]');
        touch($this->folder . '/record.jsonl');
        $this->command(['account', 'create', '--name', 'Tests']);
        [$port, $proxy] = Processes::freePorts(2);
        $this->direct = "http://127.0.0.1:$port";
        $this->address = "http://127.0.0.1:$proxy";
        $this->serve = ['serve', '--data', $this->folder . '/data', '--listen', "127.0.0.1:$port", '--requests-per-minute', '0', ...$options];
        $this->start();
        $script = [__DIR__ . '/proxy.php', (string) $proxy, $this->direct, $this->folder . '/rules.json', $this->folder . '/record.jsonl'];
        Processes::start([PHP_BINARY, ...$script], $this->folder . '/proxy.log', $proxy);
        $this->checkThatCallsAreRecorded();
    }

    /** A proxy that lost its port to another program would leave every look at the calls empty. */
    private function checkThatCallsAreRecorded(): void
    {
        file_get_contents($this->address . '/healthz');
        if (count($this->calls('#^/healthz$#')) !== 1) {
            throw new RuntimeException('the proxy does not record: ' . file_get_contents($this->folder . '/proxy.log'));
        }
    }

    public static function binary(): string
    {
        return getenv('FINDWELL_BIN') ?: dirname(__DIR__, 5) . '/target/debug/findwell';
    }

    public function start(): void
    {
        $port = (int) parse_url($this->direct, PHP_URL_PORT);
        $this->process = Processes::start([$this->binary, ...$this->serve], $this->folder . '/service.log', $port);
    }

    /** Kills it; what is asked meanwhile finds nobody behind the proxy. */
    public function stop(): void
    {
        Processes::kill($this->process);
    }

    public function backUp(): void
    {
        $this->command(['backup', $this->folder . '/backup']);
    }

    /** Kills the service and starts it with the data that it had when it was backed up. */
    public function restore(): void
    {
        $this->stop();
        rename($this->folder . '/data', $this->folder . '/lost');
        rename($this->folder . '/backup', $this->folder . '/data');
        $this->start();
    }

    /** Ends the processes and removes what they wrote. */
    public function end(): void
    {
        Processes::endAll();
        exec('rm -r ' . escapeshellarg($this->folder));
    }

    /**
     * @param array<string, mixed>|null $plan
     *
     * @return array{id: string, connectorKey: string}
     */
    public function store(?array $plan = null): array
    {
        $arguments = ['store', 'create', '--name', 'Shop', '--language', 'es', '--language', 'en', '--json'];
        if ($plan !== null) {
            file_put_contents($this->folder . '/plan.json', json_encode($plan));
            array_push($arguments, '--plan', $this->folder . '/plan.json');
        }

        return json_decode($this->command($arguments), true);
    }

    /**
     * @return array<string, mixed> what its configuration interface says about a store
     */
    public function details(string $store): array
    {
        $key = json_decode($this->command(['key', 'create', '--store', $store, '--kind', 'configuration', '--json']), true)['key'];
        $context = stream_context_create(['http' => ['header' => "X-API-Key: $key"]]);

        return json_decode((string) file_get_contents("$this->direct/api/v1/stores/$store", false, $context), true)['data'];
    }

    /**
     * @param list<string> $arguments
     */
    public function command(array $arguments): string
    {
        $command = implode(' ', array_map('escapeshellarg', [$this->binary, ...$arguments, '--data', $this->folder . '/data']));
        exec($command . ' 2>>' . escapeshellarg($this->folder . '/command.log'), $lines, $status);
        if ($status !== 0) {
            throw new RuntimeException($command . ': ' . file_get_contents($this->folder . '/command.log'));
        }

        return implode("\n", $lines);
    }

    /**
     * @param array<string, string|int> $modes regular expression of a path => hang or a status
     */
    public function rules(array $modes): void
    {
        $rules = [];
        foreach ($modes as $match => $mode) {
            $rules[] = ['match' => $match, 'mode' => $mode];
        }
        file_put_contents($this->folder . '/rules.json', json_encode($rules));
    }

    /**
     * Returns the calls since the last look, and forgets them.
     *
     * @return list<array<string, mixed>>
     */
    public function calls(string $match = '#.#'): array
    {
        $lines = file($this->folder . '/record.jsonl', FILE_IGNORE_NEW_LINES) ?: [];
        file_put_contents($this->folder . '/record.jsonl', '');
        $calls = array_map(static fn (string $line): array => json_decode($line, true), $lines);

        return array_values(array_filter($calls, static fn (array $call): bool => preg_match($match, $call['path']) === 1));
    }

    /**
     * @param array<string, mixed> $body
     *
     * @return array<string, mixed> `data` of the response
     */
    public function search(string $publicKey, array $body): array
    {
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => "X-API-Key: $publicKey\r\nContent-Type: application/json",
            'content' => json_encode($body),
            'ignore_errors' => true,
        ]]);
        $response = json_decode((string) file_get_contents($this->direct . '/api/v1/search', false, $context), true);
        if (!is_array($response['data'] ?? null)) {
            throw new RuntimeException('search: ' . json_encode($response));
        }

        return $response['data'];
    }
}
