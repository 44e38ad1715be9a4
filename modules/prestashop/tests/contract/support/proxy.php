<?php

/**
 * Findwell: a proxy that records each call and, by a rule file, hangs, refuses or hides operations of the service.
 *
 * Usage: php proxy.php <port> <service address> <rules.json> <record.jsonl>
 * Rules: [{"match": "regular expression of the path", "mode": "hang" or a status}]; without one a call passes.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

[, $port, $service, $rules, $record] = $argv;
$server = stream_socket_server("tcp://127.0.0.1:$port", $code, $message) ?: exit("$message\n");
pcntl_signal(SIGCHLD, SIG_IGN);

while (true) {
    $connection = @stream_socket_accept($server, 60);
    if ($connection === false) {
        continue;
    }
    // Each call has a process of its own, so that one that hangs holds up no other.
    if (pcntl_fork() === 0) {
        serve($connection, $service, $rules, $record);
        exit(0);
    }
    fclose($connection);
}

/**
 * @param resource $connection
 */
function serve($connection, string $service, string $rules, string $record): void
{
    [$method, $path, $headers, $body] = receive($connection);
    $started = microtime(true);
    $mode = 'pass';
    foreach (json_decode((string) file_get_contents($rules), true) ?: [] as $rule) {
        $mode = preg_match($rule['match'], $path) === 1 ? (string) $rule['mode'] : $mode;
    }
    $text = ($headers['content-encoding'] ?? '') === 'gzip' ? gzdecode($body) : $body;
    $line = ['at' => $started, 'method' => $method, 'path' => $path, 'mode' => $mode, 'headers' => $headers,
        'bytes' => strlen($body), 'body' => json_decode((string) $text, true)];
    file_put_contents($record, json_encode($line) . "\n", FILE_APPEND | LOCK_EX);
    if ($mode === 'hang') {
        sleep(60);

        return;
    }
    [$status, $type, $response] = $mode === 'pass'
        ? forward($method, $service . $path, $headers, $body)
        : [(int) $mode, 'application/json', json_encode(['success' => false, 'code' => 'proxy', 'message' => "HTTP $mode"])];
    fwrite($connection, "HTTP/1.1 $status X\r\nContent-Type: $type\r\nContent-Length: " . strlen($response)
        . "\r\nConnection: close\r\n\r\n" . $response);
}

/**
 * @param resource $connection
 *
 * @return array{0: string, 1: string, 2: array<string, string>, 3: string}
 */
function receive($connection): array
{
    [$method, $path] = explode(' ', (string) fgets($connection)) + ['', ''];
    $headers = [];
    while (($line = fgets($connection)) !== false && trim($line) !== '') {
        [$name, $value] = explode(':', $line, 2) + ['', ''];
        $headers[strtolower($name)] = trim($value);
    }
    $length = (int) ($headers['content-length'] ?? 0);
    $body = $length > 0 ? (string) stream_get_contents($connection, $length) : '';

    return [$method, $path, $headers, $body];
}

/**
 * @param array<string, string> $headers
 *
 * @return array{0: int, 1: string, 2: string}
 */
function forward(string $method, string $url, array $headers, string $body): array
{
    $lines = ['Expect:'];
    foreach (array_diff_key($headers, ['host' => 1, 'connection' => 1, 'content-length' => 1, 'expect' => 1]) as $name => $value) {
        $lines[] = "$name: $value";
    }
    $handle = curl_init($url);
    curl_setopt_array($handle, [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $lines, CURLOPT_RETURNTRANSFER => true]);
    if ($method !== 'GET') {
        curl_setopt($handle, CURLOPT_POSTFIELDS, $body);
    }
    $response = curl_exec($handle);
    if ($response === false) {
        return [502, 'text/plain', curl_error($handle)];
    }

    return [curl_getinfo($handle, CURLINFO_RESPONSE_CODE), (string) curl_getinfo($handle, CURLINFO_CONTENT_TYPE), $response];
}
