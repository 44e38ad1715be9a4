<?php

/**
 * Findwell: records of passes of one shop.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Service\Json;
use Findwell\Core\Sync\PassRecord;
use Findwell\Core\Sync\PassStore;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PassTable implements PassStore
{
    public function __construct(private readonly int $shop)
    {
    }

    public function load(string $type): PassRecord
    {
        $sql = "SELECT `record` FROM `{prefix}findwell_pass` WHERE `id_shop` = $this->shop AND `type` = ";

        return PassRecord::restore(Json::decode((string) Sql::value($sql . Sql::text($type))) ?? []);
    }

    public function save(string $type, PassRecord $record): void
    {
        Sql::run("REPLACE INTO `{prefix}findwell_pass` (`id_shop`, `type`, `record`) VALUES ($this->shop, "
            . Sql::text($type) . ', ' . Sql::text(Json::encode($record->store())) . ')');
    }
}
