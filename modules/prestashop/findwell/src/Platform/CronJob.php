<?php

/**
 * Findwell: one call of the cron address, or of the button in the settings, for one shop.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Sync\Report;
use Findwell\Core\Sync\Slice;
use Findwell\Core\Web\CronRequest;
use Module;
use Tools;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class CronJob
{
    private const MEMORY_SHARE = 0.75;
    /** A call that is not sliced ends when a day is over. */
    private const UNSLICED_SECONDS = 86400.0;

    public function __construct(private readonly Module $module)
    {
    }

    public function run(int $shop, CronRequest $request, float $seconds = Slice::SECONDS): Report
    {
        Boot::upgrade($this->module);
        $sync = new ShopSync($shop);
        $report = $this->rejection($sync) ?? $this->alone($sync, $request, $seconds);
        $sync->settings->set('last_cron', [
            'at' => time(), 'status' => $report->status, 'message' => $report->message, 'warnings' => $report->warnings,
        ]);

        return $report;
    }

    private function alone(ShopSync $sync, CronRequest $request, float $seconds): Report
    {
        $lock = new DbLock($sync->shop);
        if (!$lock->acquire()) {
            $report = new Report();
            $report->status = 'locked';

            return $report;
        }
        try {
            return $this->locked($sync, $lock, $request, $seconds);
        } finally {
            $lock->release();
        }
    }

    /** Keys are checked also where nothing was sent, because a key that was deactivated is noticed by nothing else. */
    private function checkKeys(ShopSync $sync, Report $report): void
    {
        $check = $sync->keyCheck();
        if ($report->status === 'error' || $sync->connection->downSince() !== null || $check->isDue()) {
            $check->run($sync->deadline(2 * ShopSync::CHECK_SECONDS));
        }
        if ($sync->connection->brokenReason() !== null) {
            $report->reject($sync->connection->brokenReason());
        }
        if ($sync->connection->isPagesKeyRejected()) {
            $report->warnings[] = 'the key of the pages was deactivated: test the connection in the settings of the module to get another';
        }
    }

    private function rejection(ShopSync $sync): ?Report
    {
        if (!$sync->connection->isConnected()) {
            return Report::rejection(409, 'not connected');
        }
        if ($sync->connection->brokenReason() !== null) {
            return Report::rejection(409, 'the connection is broken: ' . $sync->connection->brokenReason());
        }
        if ($sync->connection->isCopy($sync->address())) {
            return Report::rejection(409, 'the address of the shop has changed: say in the settings whether it moved or is a copy');
        }

        return null;
    }

    private function locked(ShopSync $sync, DbLock $lock, CronRequest $request, float $seconds): Report
    {
        $missing = HookList::missing($this->module, $sync->shop);
        if ($missing !== []) {
            HookList::register($this->module, [$sync->shop]);
        }
        TimeTriggers::run($sync, time());
        $memory = (int) Tools::getMemoryLimit();
        $memoryMax = $memory > 0 ? (int) ($memory * self::MEMORY_SHARE) : PHP_INT_MAX;
        $deadline = $sync->deadline($request->isSliced ? $seconds : self::UNSLICED_SECONDS, $memoryMax);
        $mayGoOn = static fn (): bool => $lock->isHeld() && ($request->isSliced || Boot::isActive($sync->shop));
        $report = $sync->slice($mayGoOn)->run($request, $deadline);
        $this->checkKeys($sync, $report);
        PageSettings::save($sync);
        if ($missing !== []) {
            $report->warnings[] = 'hooks registered: ' . implode(', ', $missing);
        }

        return $report;
    }
}
