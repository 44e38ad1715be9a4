<?php

/**
 * Findwell: asks the service whether both keys are accepted and whether it responds, also while nothing is sent.
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

final class KeyCheck
{
    /** Less than the five minutes between two calls of cron, so that each of them checks. */
    private const SECONDS = 240;

    /**
     * @param FeedClient $connector with the connector key
     * @param FeedClient|null $pages with the key of the pages; null if there is none
     */
    public function __construct(
        private readonly FeedClient $connector,
        private readonly ?FeedClient $pages,
        private readonly Memory $memory,
        private readonly Connection $connection,
        private readonly Clock $clock
    ) {
    }

    public function isDue(): bool
    {
        return $this->clock->now() - (int) ($this->memory->get('keys_checked') ?? 0) >= self::SECONDS;
    }

    /** Stores what the service says of the keys, or since when it does not respond. */
    public function run(Deadline $deadline): void
    {
        $this->memory->set('keys_checked', (int) $this->clock->now());
        try {
            $this->connector->call('connect', '/feed/connect', null, $deadline);
        } catch (ServiceError $error) {
            if ($error->endsConnection()) {
                $this->connection->markBroken($error->getMessage());
            }
            $this->responded(!$error->isTransient());

            return;
        }
        $this->responded(true);
        try {
            $this->pages?->call('widget-config', '/widget/config', null, $deadline);
            $this->connection->markPagesKey(true);
        } catch (ServiceError $error) {
            if ($error->endsConnection()) {
                $this->connection->markPagesKey(false);
            }
        }
    }

    private function responded(bool $isUp): void
    {
        $since = $this->connection->downSince();
        if ($isUp && $since !== null) {
            $this->memory->set('down_since', null);
        } elseif (!$isUp && $since === null) {
            $this->memory->set('down_since', (int) $this->clock->now());
        }
    }
}
