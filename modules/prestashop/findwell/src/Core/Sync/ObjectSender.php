<?php

/**
 * Findwell: sends single objects outside of a pass: what is in scope is written, the rest deleted.
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

final class ObjectSender
{
    /**
     * @param list<string> $languages
     */
    public function __construct(
        private readonly FeedClient $client,
        private readonly Catalog $catalog,
        private readonly StateStore $states,
        private readonly PassStore $passes,
        private readonly BlockSender $blocks,
        private readonly Clock $clock,
        private readonly array $languages
    ) {
    }

    /**
     * @param list<int> $ids
     *
     * @throws ServiceError if they are to be sent again
     */
    public function send(string $type, array $ids, Deadline $deadline): void
    {
        $rev = (int) ($this->clock->now() * 1000);
        $record = $this->passes->load($type);
        $documents = $this->catalog->documents($type, $ids, $this->languages);
        $absent = [];
        foreach ($this->languages as $language) {
            $stamped = PageSender::stamped($documents->in($language), $rev);
            if ($record->limited[$language] ?? false) {
                $stored = $this->states->hashes($type, $language, array_keys($stamped));
                $stamped = array_intersect_key($stamped, $stored);
            }
            $result = $this->blocks->send($type, $language, $stamped, null, $deadline);
            $hashes = array_intersect_key(array_column($stamped, 'hash', 'id'), array_flip($result->accepted));
            $this->states->write($type, $language, $record->pass, $hashes);
            foreach (array_diff($ids, array_keys($documents->in($language))) as $id) {
                $absent[$id][] = $language;
            }
        }
        $this->delete($type, $absent, $rev, $deadline);
    }

    /**
     * @param array<int, list<string>> $absent id => languages without a document
     */
    private function delete(string $type, array $absent, int $rev, Deadline $deadline): void
    {
        $groups = [];
        foreach ($absent as $id => $languages) {
            $groups[implode(',', $languages)][] = $id;
        }
        foreach ($groups as $languages => $ids) {
            $languages = explode(',', (string) $languages);
            $body = ['ids' => array_map('strval', $ids), 'rev' => $rev];
            if ($languages !== $this->languages) {
                $body['languages'] = $languages;
            }
            try {
                $this->client->call('delete', "/feed/$type/delete", $body, $deadline);
            } catch (ServiceError $error) {
                // Without the operation the next pass, or a rebuild, removes them.
                if (!$error->isUnknownOperation()) {
                    throw $error;
                }
            }
            $this->states->remove($type, $ids, $languages);
        }
    }
}
