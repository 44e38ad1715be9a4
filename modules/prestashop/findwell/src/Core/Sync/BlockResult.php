<?php

/**
 * Findwell: what became of the documents of one language.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class BlockResult
{
    /** @var list<int> */
    public array $accepted = [];
    /** @var list<int> older than what the service has; they count as sent */
    public array $stale = [];
    /** @var array<int, string> id => reason */
    public array $rejected = [];
    /** The plan allows no further documents. */
    public bool $isLimited = false;
}
