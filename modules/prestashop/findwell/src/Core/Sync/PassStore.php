<?php

/**
 * Findwell: the record of the pass of each type.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

interface PassStore
{
    public function load(string $type): PassRecord;

    public function save(string $type, PassRecord $record): void;
}
