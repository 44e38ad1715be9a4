<?php

/**
 * Findwell: starts programs for tests, waits until they listen, and ends them.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\contract\support;

use RuntimeException;

final class Processes
{
    /** @var list<resource> */
    private static array $running = [];

    /**
     * @param list<string> $command
     *
     * @return int by which it can be killed
     */
    public static function start(array $command, string $log, int $port): int
    {
        $pipes = [];
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['file', $log, 'a'], ['file', $log, 'a']], $pipes);
        if ($process === false) {
            throw new RuntimeException("cannot start $command[0]");
        }
        self::$running[] = $process;
        for ($until = microtime(true) + 60; microtime(true) < $until; usleep(20000)) {
            $socket = @stream_socket_client("tcp://127.0.0.1:$port", $code, $message, 1);
            if ($socket !== false) {
                fclose($socket);

                return array_key_last(self::$running);
            }
            if (!proc_get_status($process)['running']) {
                break;
            }
        }
        throw new RuntimeException("$command[0] does not listen: " . file_get_contents($log));
    }

    /** Ends one at once, as a machine does that fails. */
    public static function kill(int $process): void
    {
        proc_terminate(self::$running[$process], SIGKILL);
        proc_close(self::$running[$process]);
        unset(self::$running[$process]);
    }

    /**
     * Ports that nobody listens on. All are held until the last one is chosen: the kernel may offer one that was closed again.
     *
     * @return list<int> as many as asked for, all different
     */
    public static function freePorts(int $count): array
    {
        [$sockets, $ports] = [[], []];
        for ($i = 0; $i < $count; $i++) {
            $sockets[] = $socket = stream_socket_server('tcp://127.0.0.1:0');
            $ports[] = (int) substr(strrchr((string) stream_socket_get_name($socket, false), ':'), 1);
        }
        array_map('fclose', $sockets);

        return $ports;
    }

    public static function endAll(): void
    {
        foreach (self::$running as $process) {
            proc_terminate($process, SIGTERM);
        }
        foreach (self::$running as $process) {
            proc_close($process);
        }
        self::$running = [];
    }
}
