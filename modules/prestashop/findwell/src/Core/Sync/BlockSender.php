<?php

/**
 * Findwell: sends documents of one type and language in blocks that the service accepts.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\FeedClient;
use Findwell\Core\Service\Json;
use Findwell\Core\Service\ServiceError;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class BlockSender
{
    public const DOCUMENTS_MAX = 500;
    /** 8 MiB less the room that the envelope of the block takes. */
    public const BYTES_MAX = 8388608 - 4096;

    private bool $hasCreatedIndices = false;

    /**
     * @param callable(Deadline): void $createIndices called once if the service has no index for a block
     */
    public function __construct(
        private readonly FeedClient $client,
        private $createIndices
    ) {
    }

    /**
     * @param array<int, array<string, mixed>> $documents by id
     *
     * @throws ServiceError
     */
    public function send(string $type, string $language, array $documents, ?string $runId, Deadline $deadline): BlockResult
    {
        $result = new BlockResult();
        foreach (self::blocks($documents) as $block) {
            $this->block($type, $language, $block, $runId, $deadline, $result);
        }

        return $result;
    }

    /**
     * @param array<int, array<string, mixed>> $documents
     *
     * @return iterable<array<int, array<string, mixed>>>
     */
    private static function blocks(array $documents): iterable
    {
        $block = [];
        $bytes = 0;
        foreach ($documents as $id => $document) {
            $size = strlen(Json::encode($document)) + 1;
            if ($block !== [] && (count($block) >= self::DOCUMENTS_MAX || $bytes + $size > self::BYTES_MAX)) {
                yield $block;
                $block = [];
                $bytes = 0;
            }
            $block[$id] = $document;
            $bytes += $size;
        }
        if ($block !== []) {
            yield $block;
        }
    }

    /**
     * @param array<int, array<string, mixed>> $block
     */
    private function block(
        string $type,
        string $language,
        array $block,
        ?string $runId,
        Deadline $deadline,
        BlockResult $result
    ): void {
        $body = ['language' => $language, 'documents' => array_values($block)];
        if ($runId !== null) {
            $body['runId'] = $runId;
        }
        try {
            $data = $this->client->call('bulk', "/feed/$type/bulk", $body, $deadline);
        } catch (ServiceError $error) {
            if ($error->errorCode === 'index_missing' && !$this->hasCreatedIndices) {
                $this->hasCreatedIndices = true;
                ($this->createIndices)($deadline);
                $this->block($type, $language, $block, $runId, $deadline, $result);
            } elseif ($error->status === 413 && count($block) > 1) {
                foreach (array_chunk($block, (int) ceil(count($block) / 2), true) as $half) {
                    $this->block($type, $language, $half, $runId, $deadline, $result);
                }
            } elseif ($error->status === 413 || $error->isPlanLimit()) {
                $result->isLimited = $result->isLimited || $error->isPlanLimit();
                $result->rejected += array_fill_keys(array_keys($block), $error->getMessage());
            } else {
                throw $error;
            }

            return;
        }
        self::read($data, $block, $result);
    }

    /**
     * @param array<string, mixed> $data
     * @param array<int, array<string, mixed>> $block
     */
    private static function read(array $data, array $block, BlockResult $result): void
    {
        $rejected = [];
        foreach (is_array($data['rejected'] ?? null) ? $data['rejected'] : [] as $row) {
            $id = array_keys($block)[(int) ($row['index'] ?? -1)] ?? (int) ($row['id'] ?? 0);
            $field = isset($row['field']) ? $row['field'] . ': ' : '';
            $rejected[$id] = ($row['code'] ?? '') . ': ' . $field . ($row['message'] ?? '');
        }
        $stale = array_map('intval', is_array($data['stale'] ?? null) ? $data['stale'] : []);
        $result->rejected += $rejected;
        array_push($result->stale, ...$stale);
        array_push($result->accepted, ...array_values(array_diff(array_keys($block), $stale, array_keys($rejected))));
    }
}
