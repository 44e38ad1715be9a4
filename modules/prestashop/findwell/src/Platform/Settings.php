<?php

/**
 * Findwell: the values of one shop in the module's table; shop 0 is the installation.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Service\Json;
use Findwell\Core\Sync\Memory;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Settings implements Memory
{
    /** How often a value is read again because another request has changed it. */
    private const TRIES = 20;

    /** @var array<int, self> */
    private static array $shops = [];

    /** @var array<string, mixed>|null null until they are read */
    private ?array $values = null;

    private function __construct(private readonly int $shop)
    {
    }

    public static function of(int $shop): self
    {
        return self::$shops[$shop] ??= new self($shop);
    }

    /** What was read may have changed, as after an upgrade. */
    public static function forget(): void
    {
        self::$shops = [];
    }

    public function get(string $name): mixed
    {
        if ($this->values === null) {
            $this->values = [];
            $rows = Sql::rows("SELECT `name`, `value` FROM `{prefix}findwell_setting` WHERE `id_shop` = $this->shop");
            foreach ($rows as $row) {
                $this->values[$row['name']] = json_decode((string) $row['value'], true);
            }
        }

        return $this->values[$name] ?? null;
    }

    public function set(string $name, mixed $value): void
    {
        if ($this->values !== null) {
            $this->values[$name] = $value === null ? null : json_decode(Json::encode($value), true);
        }
        $key = Sql::text($name);
        if ($value === null) {
            Sql::run("DELETE FROM `{prefix}findwell_setting` WHERE `id_shop` = $this->shop AND `name` = $key");

            return;
        }
        $text = Sql::text(Json::encode($value));
        Sql::run("REPLACE INTO `{prefix}findwell_setting` (`id_shop`, `name`, `value`) VALUES ($this->shop, $key, $text)");
    }

    public function update(string $name, callable $change): void
    {
        $key = Sql::text($name);
        $of = "`id_shop` = $this->shop AND `name` = $key";
        for ($try = 0; $try < self::TRIES; ++$try) {
            $stored = Sql::value("SELECT `value` FROM `{prefix}findwell_setting` WHERE $of");
            $value = Json::encode($change($stored === null ? null : json_decode($stored, true)));
            $text = Sql::text($value);
            Sql::run($stored === null
                ? "INSERT IGNORE INTO `{prefix}findwell_setting` (`id_shop`, `name`, `value`) VALUES ($this->shop, $key, $text)"
                : "UPDATE `{prefix}findwell_setting` SET `value` = $text WHERE $of AND `value` = " . Sql::text($stored));
            if ($value === $stored || (int) Sql::value('SELECT ROW_COUNT()') > 0) {
                break;
            }
        }
        // What was read before is older than what was just written.
        $this->values = null;
    }

    /**
     * @return list<int> shops with a key
     */
    public static function connectedShops(): array
    {
        $sql = "SELECT `id_shop` FROM `{prefix}findwell_setting` WHERE `name` = 'key' AND `id_shop` > 0 ORDER BY 1";

        return array_map('intval', Sql::column($sql));
    }
}
