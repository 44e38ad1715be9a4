<?php

/**
 * Findwell: what a call has done, as the page of settings tells it.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Sync\Report;
use Findwell\Core\Sync\Types;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ReportView
{
    /**
     * @return array{status: string, message: string, queue: array{done: int, failed: int, left: int}, types: list<array<string, mixed>>,
     *         warnings: list<string>}
     */
    public static function of(Report $report): array
    {
        $types = [];
        foreach ($report->results as $name => $result) {
            $types[] = ['type' => Types::BY_CRON_NAME[$name], 'status' => $result['status'], 'errors' => $result['errors'] ?? []]
                + array_intersect_key($result, array_flip(['sent', 'touched', 'dropped', 'deleted']))
                + ['sent' => 0, 'touched' => 0, 'dropped' => 0, 'deleted' => 0];
        }

        return [
            'status' => $report->status,
            'message' => (string) $report->message,
            'queue' => $report->queue,
            'types' => $types,
            'warnings' => $report->warnings,
        ];
    }
}
