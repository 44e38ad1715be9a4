<?php

/**
 * Findwell: what is undone when the module is removed; the documents stay in the service.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Service\ServiceError;
use Findwell\Core\Sync\Types;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Removal
{
    private const SECONDS = 3.0;

    /** Ends open runs as far as that is possible in three seconds. */
    public static function endRuns(): void
    {
        $deadline = null;
        foreach (Settings::connectedShops() as $shop) {
            $sync = new ShopSync($shop);
            $deadline ??= $sync->deadline(self::SECONDS);
            foreach (Types::ALL as $type) {
                $record = $sync->passes->load($type);
                $run = $record->heldRun ?? ($record->isOpen ? $record->runId : null);
                if ($run === null || $deadline->remaining() < 0.1) {
                    continue;
                }
                try {
                    $sync->opener($sync->client($deadline->remaining(), 1.0))->abort($run, $deadline);
                } catch (ServiceError $error) {
                    Log::warning('a run stays open until it expires: ' . $error->getMessage());
                }
            }
        }
    }

    public static function settings(): bool
    {
        return Schema::drop() && PageSettings::remove();
    }
}
