<?php

/**
 * Findwell: records of passes in memory, stored as in the database.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core\support;

use Findwell\Core\Sync\PassRecord;
use Findwell\Core\Sync\PassStore;

final class ArrayPasses implements PassStore
{
    /** @var array<string, string> */
    public array $rows = [];

    public function load(string $type): PassRecord
    {
        return PassRecord::restore(json_decode($this->rows[$type] ?? '[]', true));
    }

    public function save(string $type, PassRecord $record): void
    {
        $this->rows[$type] = json_encode($record->store());
    }
}
