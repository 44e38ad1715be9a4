<?php

/**
 * Findwell: ends a pass: closes the run, or deletes by state where the service has no runs.
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

final class RunCloser
{
    public function __construct(
        private readonly FeedClient $client,
        private readonly StateStore $states,
        private readonly PassStore $passes,
        private readonly Clock $clock
    ) {
    }

    public function close(string $type, PassRecord $record, Deadline $deadline): void
    {
        if ($record->runId === null) {
            $this->deleteByState($type, $record, $deadline);
        } else {
            $this->closeRun($type, $record, $deadline);
        }
        $record->finish((int) $this->clock->now());
        $this->passes->save($type, $record);
    }

    private function closeRun(string $type, PassRecord $record, Deadline $deadline): void
    {
        $scopes = [];
        foreach ($record->languages as $language) {
            if (!($record->limited[$language] ?? false)) {
                $scopes[] = ['type' => $type, 'language' => $language] + $record->counters[$language];
            }
        }
        $path = '/feed/runs/' . rawurlencode((string) $record->runId) . '/close';
        $data = $this->client->call('runs', $path, ['scopes' => $scopes], $deadline);
        foreach (is_array($data['scopes'] ?? null) ? $data['scopes'] : [] as $scope) {
            $this->closed($type, $record, $scope);
        }
        if ($record->held !== []) {
            $record->heldRun = $record->runId;
            $record->heldScopes = $scopes;
        }
    }

    /**
     * @param array<string, mixed> $scope
     */
    private function closed(string $type, PassRecord $record, array $scope): void
    {
        $language = (string) ($scope['language'] ?? '');
        switch ($scope['status'] ?? '') {
            case 'purged':
                $record->deleted += (int) ($scope['purged'] ?? 0);
                $this->states->deleteOtherPasses($type, $language, $record->pass);
                break;
            case 'mismatch':
                // The service saw another number of documents, so nothing that is known of it can be relied on.
                $this->states->drop($type, $language);
                $record->isDue = true;
                $record->problem("$language: the service counted other documents, everything is sent again");
                break;
            case 'held':
                $record->held[$language] = (int) ($scope['wouldPurge'] ?? 0);
                break;
            case 'empty':
                $record->problem("$language: the shop has no object of this type, nothing was deleted");
                break;
        }
    }

    private function deleteByState(string $type, PassRecord $record, Deadline $deadline): void
    {
        foreach ($record->languages as $language) {
            while (!($record->limited[$language] ?? false)) {
                $ids = $this->states->idsOfOtherPasses($type, $language, $record->pass, BlockSender::DOCUMENTS_MAX);
                if ($ids === []) {
                    break;
                }
                if (!$this->delete($type, $language, $ids, $record, $deadline)) {
                    return;
                }
            }
        }
    }

    /**
     * @param list<int> $ids
     */
    private function delete(string $type, string $language, array $ids, PassRecord $record, Deadline $deadline): bool
    {
        $body = [
            'ids' => array_map('strval', $ids),
            'languages' => [$language],
            'rev' => (int) ($this->clock->now() * 1000),
        ];
        try {
            $data = $this->client->call('delete', "/feed/$type/delete", $body, $deadline);
        } catch (ServiceError $error) {
            if ($error->isUnknownOperation()) {
                return false;
            }
            throw $error;
        }
        $record->deleted += (int) ($data['deleted'] ?? 0);
        $this->states->remove($type, $ids, [$language]);

        return true;
    }

    /** Repeats a close that is held, with the owner's consent to what it deletes. */
    public function confirm(string $type, PassRecord $record, Deadline $deadline): void
    {
        if ($record->heldRun === null || $record->held === []) {
            return;
        }
        $path = '/feed/runs/' . rawurlencode($record->heldRun) . '/close';
        $body = ['scopes' => $record->heldScopes, 'confirmPurge' => true];
        $held = $record->held;
        $record->held = [];
        try {
            $data = $this->client->call('runs', $path, $body, $deadline);
            foreach (is_array($data['scopes'] ?? null) ? $data['scopes'] : [] as $scope) {
                if (isset($held[$scope['language'] ?? ''])) {
                    $this->closed($type, $record, $scope);
                }
            }
        } catch (ServiceError $error) {
            if ($error->errorCode !== 'run_gone') {
                $record->held = $held;
                throw $error;
            }
        }
        $record->heldRun = null;
        $record->heldScopes = [];
        $this->passes->save($type, $record);
    }
}
