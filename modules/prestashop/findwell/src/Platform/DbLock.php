<?php

/**
 * Findwell: a lock of the database, which ends with the connection.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Sync\Lock;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class DbLock implements Lock
{
    private readonly string $name;

    public function __construct(int $shop)
    {
        $this->name = Sql::text('fw_' . md5(_DB_NAME_ . '|' . _DB_PREFIX_) . '_' . $shop);
    }

    public function acquire(): bool
    {
        return Sql::value("SELECT GET_LOCK($this->name, 0)") === '1';
    }

    public function isHeld(): bool
    {
        return Sql::value("SELECT IS_USED_LOCK($this->name) = CONNECTION_ID()") === '1';
    }

    public function release(): void
    {
        Sql::value("SELECT RELEASE_LOCK($this->name)");
    }
}
