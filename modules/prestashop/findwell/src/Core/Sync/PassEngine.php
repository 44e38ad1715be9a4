<?php

/**
 * Findwell: walks over the objects of a type, page by page, in as many slices as it takes.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\ServiceError;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PassEngine
{
    /** More would save requests, but a page of products with long texts has to fit into the memory of a shop. */
    public const DOCUMENTS = 400;
    public const OBJECTS_MAX = 200;
    private const COLLECT_EVERY = 10;

    /**
     * @param callable(): bool $mayGoOn whether the lock is held and the module is active
     * @param int $documents that are read and sent together, in all languages
     */
    public function __construct(
        private readonly Catalog $catalog,
        private readonly PassStore $passes,
        private readonly RunOpener $opener,
        private readonly PageSender $pages,
        private readonly RunCloser $closer,
        private $mayGoOn,
        private readonly int $documents = self::DOCUMENTS
    ) {
    }

    /**
     * Goes on with the open pass of the type until it is complete or the time is over.
     *
     * @return string `done`, `continue`, or `waiting` while somebody else's run is open
     *
     * @throws ServiceError
     */
    public function run(string $type, PassRecord $record, Deadline $deadline): string
    {
        try {
            if (!$this->opener->open($type, $record, $deadline)) {
                return 'waiting';
            }

            return $this->walk($type, $record, $deadline);
        } catch (ServiceError $error) {
            if ($error->errorCode !== 'run_gone') {
                throw $error;
            }
            // The run has ended without us: a new pass, which touches what the service still has.
            $record->runId = null;
            $this->opener->start($type, $record, $record->mode === 'fresh' ? 'full' : $record->mode, $record->languages);

            return 'continue';
        }
    }

    private function walk(string $type, PassRecord $record, Deadline $deadline): string
    {
        $objects = self::objects($this->documents, count($record->languages));
        for ($pages = 1; !$deadline->isOver() && ($this->mayGoOn)(); ++$pages) {
            $ids = $this->catalog->pageIds($type, $record->cursor, $objects);
            if ($ids === []) {
                $this->closer->close($type, $record, $deadline);

                return 'done';
            }
            $this->pages->send($type, $record, $ids, $deadline);
            $record->cursor = max($ids);
            $this->passes->save($type, $record);
            $this->catalog->flushCaches();
            if ($pages % self::COLLECT_EVERY === 0) {
                gc_collect_cycles();
            }
        }

        return 'continue';
    }

    /** How many objects a page has. */
    public static function objects(int $documents, int $languages): int
    {
        return min(self::OBJECTS_MAX, max(1, intdiv($documents, max(1, $languages))));
    }
}
