<?php

/**
 * Findwell: opens the run of a pass, and clears what the pass rebuilds.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

use Findwell\Core\Service\Clock;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\FeedClient;
use Findwell\Core\Service\ServiceError;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class RunOpener
{
    /** A run of nobody we know is left alone for this long. */
    private const FOREIGN_SECONDS = 7200;

    public function __construct(
        private readonly FeedClient $client,
        private readonly StateStore $states,
        private readonly PassStore $passes,
        private readonly Clock $clock
    ) {
    }

    /**
     * Starts a new pass and saves it before the service hears of it, so that a killed call continues the same run.
     *
     * @param list<string> $languages
     */
    public function start(string $type, PassRecord $record, string $mode, array $languages): void
    {
        if ($mode === 'fresh') {
            $this->states->drop($type);
        }
        $former = $record->isOpen ? $record->runId : null;
        $record->start(self::uuid(), $mode, $languages, (int) $this->clock->now());
        // The former run is ours; it is ended when the service says that it is in the way.
        $record->heldRun ??= $former;
        $record->held = [];
        $record->heldScopes = [];
        $this->passes->save($type, $record);
    }

    /**
     * Opens the run, once; without runs the pass goes on with what the shop knows.
     *
     * @return bool false if a run of somebody else is in the way
     */
    public function open(string $type, PassRecord $record, Deadline $deadline): bool
    {
        if ($record->runId !== null || $record->cursor > 0) {
            return true;
        }
        if (!$this->client->supports('runs')) {
            $this->clear($type, $record, false, $deadline);

            return true;
        }
        if ($record->heldRun !== null) {
            $this->abort($record->heldRun, $deadline);
            $record->heldRun = null;
        }
        try {
            $run = $this->openOnce($type, $record, $deadline);
        } catch (ServiceError $error) {
            if ($error->isUnknownOperation()) {
                $this->clear($type, $record, false, $deadline);

                return true;
            }
            if ($error->errorCode !== 'run_open') {
                throw $error;
            }
            if (!$this->endFormer((string) ($error->details['runId'] ?? ''), $deadline)) {
                return false;
            }
            $run = $this->openOnce($type, $record, $deadline);
        }
        $record->runId = (string) $run['runId'];
        $this->clear($type, $record, true, $deadline);
        $this->passes->save($type, $record);

        return true;
    }

    /**
     * @return array<string, mixed>
     */
    private function openOnce(string $type, PassRecord $record, Deadline $deadline): array
    {
        $body = [
            'clientRunId' => $record->pass,
            'mode' => $record->mode,
            'types' => [$type],
            'languages' => $record->languages,
        ];

        return $this->client->call('runs', '/feed/runs', $body, $deadline);
    }

    /** With runs, shoppers keep seeing the old documents until the run closes. */
    private function clear(string $type, PassRecord $record, bool $keepServing, Deadline $deadline): void
    {
        if ($record->mode !== 'fresh' || $type !== 'products' || !$this->client->supports('clear')) {
            return;
        }
        $body = ['languages' => $record->languages, 'keepServing' => $keepServing];
        try {
            $this->client->call('clear', '/feed/products/clear', $body, $deadline);
        } catch (ServiceError $error) {
            if (!$error->isUnknownOperation()) {
                throw $error;
            }
        }
    }

    private function endFormer(string $runId, Deadline $deadline): bool
    {
        $run = $this->client->call('runs', '/feed/runs/' . rawurlencode($runId), null, $deadline);
        $openedAt = strtotime((string) ($run['openedAt'] ?? ''));
        if ($openedAt !== false && $this->clock->now() - $openedAt < self::FOREIGN_SECONDS) {
            return false;
        }
        $this->abort($runId, $deadline);

        return true;
    }

    /** Ends a run without purge; one that has ended already is no error. */
    public function abort(string $runId, Deadline $deadline): void
    {
        try {
            $this->client->call('runs', '/feed/runs/' . rawurlencode($runId) . '/abort', [], $deadline);
        } catch (ServiceError $error) {
            if ($error->status !== 410 && !$error->isUnknownOperation()) {
                throw $error;
            }
        }
    }

    public static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr((ord($bytes[6]) & 0x0F) | 0x40);
        $bytes[8] = chr((ord($bytes[8]) & 0x3F) | 0x80);

        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
