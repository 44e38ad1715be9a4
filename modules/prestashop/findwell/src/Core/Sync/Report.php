<?php

/**
 * Findwell: the result of a slice, as the cron address responds.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Report
{
    /** @var array<string, array<string, mixed>> by type */
    public array $results = [];
    /** @var array{done: int, failed: int, left: int} */
    public array $queue = ['done' => 0, 'failed' => 0, 'left' => 0];
    /** @var list<string> */
    public array $warnings = [];
    public string $status = 'done';
    public ?string $message = null;
    public int $httpStatus = 200;

    public static function rejection(int $httpStatus, string $message): self
    {
        $report = new self();
        $report->status = 'error';
        $report->httpStatus = $httpStatus;
        $report->message = $message;

        return $report;
    }

    /** The key was rejected in this call, whatever else it did. */
    public function reject(string $reason): void
    {
        $this->status = 'error';
        $this->httpStatus = 409;
        $this->message = 'the connection is broken: ' . $reason;
    }

    public function add(string $type, PassRecord $record, string $status, ?string $error = null): void
    {
        $this->results[Types::cronName($type)] = [
            'status' => $status,
            'mode' => $record->mode,
            'run' => $record->runId,
            'cursor' => $record->cursor,
            'sent' => $record->total('sent'),
            'touched' => $record->total('touched'),
            'dropped' => $record->total('dropped'),
            'deleted' => $record->deleted,
            'languages' => $record->languages,
            'errors' => $error === null ? [] : [$error],
        ] + ($record->held === [] ? [] : ['held' => $record->held]);
    }

    public function addIdle(string $type, int $next): void
    {
        $this->results[Types::cronName($type)] = ['status' => 'idle', 'next' => gmdate('Y-m-d\TH:i:s\Z', $next)];
    }

    /** The worst of the types is that of the whole. */
    public function conclude(): void
    {
        $statuses = array_column($this->results, 'status');
        foreach (['error', 'continue', 'waiting', 'done'] as $status) {
            if (in_array($status, $statuses, true)) {
                $this->status = $status === 'waiting' ? 'continue' : $status;

                return;
            }
        }
        $this->status = $this->queue['done'] > 0 ? 'done' : 'idle';
    }

    /**
     * @return array<string, mixed>
     */
    public function body(string $what, bool $fresh, float $duration): array
    {
        $body = [
            'success' => $this->status !== 'error',
            'what' => $what,
            'fresh' => $fresh,
            'status' => $this->status,
            'duration' => round($duration, 1),
            'results' => (object) $this->results,
            'queue' => $this->queue,
            'warnings' => $this->warnings,
        ];

        return $this->message === null ? $body : $body + ['message' => $this->message];
    }
}
