<?php

/**
 * Findwell: one page of a pass: what is unchanged is touched, the rest is sent.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

use Findwell\Core\Document\CanonicalHash;
use Findwell\Core\Service\Clock;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\FeedClient;
use Findwell\Core\Service\ServiceError;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PageSender
{
    private const TOUCH_ITEMS_MAX = 2000;

    public function __construct(
        private readonly FeedClient $client,
        private readonly Catalog $catalog,
        private readonly StateStore $states,
        private readonly BlockSender $blocks,
        private readonly Clock $clock
    ) {
    }

    /**
     * Sends the objects and counts them in the record, which the caller saves.
     *
     * @param list<int> $ids
     */
    public function send(string $type, PassRecord $record, array $ids, Deadline $deadline): void
    {
        // Taken before the objects are read: a change after that has a later one.
        $rev = (int) ($this->clock->now() * 1000);
        $documents = $this->catalog->documents($type, $ids, $record->languages);
        $written = [];
        $counts = [];
        foreach ($record->languages as $language) {
            [$written[$language], $counts[$language]] = $this->language(
                $type,
                $record,
                $language,
                self::stamped($documents->in($language), $rev),
                $deadline
            );
            $counts[$language]['dropped'] += count($documents->namelessIn($language));
            foreach ($documents->namelessIn($language) as $id) {
                $record->problem("$language $id: no name in this language");
            }
        }
        foreach ($record->languages as $language) {
            $this->states->write($type, $language, $record->pass, $written[$language]);
            foreach ($counts[$language] as $counter => $number) {
                $record->count($language, $counter, $number);
            }
        }
    }

    /**
     * @param array<int, array<string, mixed>> $documents
     *
     * @return array<int, array<string, mixed>>
     */
    public static function stamped(array $documents, int $rev): array
    {
        return array_map(
            static fn (array $document): array => $document + ['rev' => $rev, 'hash' => CanonicalHash::of($document)],
            $documents
        );
    }

    /**
     * @param array<int, array<string, mixed>> $documents
     *
     * @return array{0: array<int, string>, 1: array{sent: int, touched: int, dropped: int}}
     */
    private function language(string $type, PassRecord $record, string $language, array $documents, Deadline $deadline): array
    {
        $hashes = array_column($documents, 'hash', 'id');
        $stored = $this->states->hashes($type, $language, array_keys($documents));
        $unchanged = $record->mode === 'incremental' ? array_intersect_assoc($stored, $hashes) : [];
        $touched = $this->touch($type, $record, $language, $unchanged, $deadline);
        $changed = array_diff_key($documents, $touched);
        $rejected = [];
        if ($record->limited[$language] ?? false) {
            $rejected = array_fill_keys(array_keys(array_diff_key($changed, $stored)), 'plan_limit: over the limit of the plan');
            $changed = array_intersect_key($changed, $stored);
        }
        $result = $this->blocks->send($type, $language, $changed, $record->runId, $deadline);
        if ($result->isLimited) {
            $record->limited[$language] = true;
        }
        $rejected += $result->rejected;
        foreach ($rejected as $id => $reason) {
            $record->problem("$language $id: $reason");
        }
        $counts = [
            'sent' => count($result->accepted) + count($result->stale),
            'touched' => count($touched),
            'dropped' => count($rejected),
        ];

        return [$touched + array_intersect_key($hashes, array_flip($result->accepted)), $counts];
    }

    /**
     * @param array<int, string> $unchanged id => hash
     *
     * @return array<int, string> those that need not be sent
     */
    private function touch(string $type, PassRecord $record, string $language, array $unchanged, Deadline $deadline): array
    {
        if ($record->runId === null) {
            return $unchanged;
        }
        if ($unchanged === [] || !$this->client->supports('touch')) {
            return [];
        }
        foreach (array_chunk($unchanged, self::TOUCH_ITEMS_MAX, true) as $part) {
            $items = [];
            foreach ($part as $id => $hash) {
                $items[] = ['id' => (string) $id, 'hash' => $hash];
            }
            $body = ['runId' => $record->runId, 'type' => $type, 'language' => $language, 'items' => $items];
            try {
                $data = $this->client->call('touch', '/feed/touch', $body, $deadline);
            } catch (ServiceError $error) {
                if ($error->isUnknownOperation()) {
                    return [];
                }
                throw $error;
            }
            $again = array_merge($data['missing'] ?? [], $data['changed'] ?? []);
            $unchanged = array_diff_key($unchanged, array_flip(array_map('intval', $again)));
        }

        return $unchanged;
    }
}
