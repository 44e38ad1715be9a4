<?php

/**
 * Findwell: stub of the platform for tests: the database, whose statements are kept for a look at them.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Db
{
    public static ?PDO $connection = null;
    /** @var list<string> */
    public static array $statements = [];
    private static ?Db $instance = null;

    public static function getInstance($master = true)
    {
        return self::$instance ??= new self();
    }

    public function execute($sql, $use_cache = true)
    {
        return self::query($sql) instanceof PDOStatement;
    }

    public function executeS($sql, $array = true, $use_cache = true)
    {
        // The platform may answer from its query cache, and a table that another process changed would look old.
        if ($use_cache) {
            throw new LogicException("a cached read: $sql");
        }

        return self::query($sql)->fetchAll(PDO::FETCH_ASSOC);
    }

    public function escape($string, $html_ok = false, $bq_sql = false)
    {
        $string = substr(self::connection()->quote((string) $string), 1, -1);
        $string = $html_ok ? $string : strip_tags($string);

        return $bq_sql ? str_replace('`', '\`', $string) : $string;
    }

    private static function query(string $sql): PDOStatement
    {
        self::$statements[] = $sql;

        return self::connection()->query($sql);
    }

    private static function connection(): PDO
    {
        return self::$connection ?? throw new LogicException('no database in this test');
    }
}
