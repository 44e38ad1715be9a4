<?php

/**
 * Findwell: a database server of the test's own in a temporary folder, reached by a socket alone.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\platform\support;

use Db;
use PDO;
use PDOException;
use RuntimeException;

final class Database
{
    private const START_SECONDS = 120;

    private static ?string $folder = null;
    /** @var resource|null */
    private static $server = null;

    /** Why there is no database; null if there is one. */
    public static function missing(): ?string
    {
        foreach (['mariadbd', 'mariadb-install-db'] as $program) {
            if (self::path($program) === null) {
                return "$program is not installed";
            }
        }

        return null;
    }

    private static function path(string $program): ?string
    {
        foreach (['/usr/sbin/', '/usr/bin/', '/usr/local/bin/'] as $folder) {
            if (is_executable($folder . $program)) {
                return $folder . $program;
            }
        }

        return null;
    }

    /** Starts the server once for all tests, and opens an empty database with the tables that the platform has. */
    public static function open(): void
    {
        if (self::$folder === null) {
            self::start();
            self::createTables();
        }
        foreach (Db::$connection->query('SHOW TABLES')->fetchAll(PDO::FETCH_COLUMN) as $table) {
            $isOfModule = str_starts_with($table, _DB_PREFIX_ . 'findwell_');
            Db::$connection->exec(($isOfModule ? 'DROP TABLE' : 'DELETE FROM') . " `$table`");
        }
        Db::$statements = [];
    }

    private static function createTables(): void
    {
        Db::$connection->exec('CREATE DATABASE ' . _DB_NAME_ . ' CHARACTER SET utf8mb4');
        Db::$connection->exec('USE ' . _DB_NAME_);
        foreach (json_decode((string) file_get_contents(__DIR__ . '/../../stub/tables.json'), true) as $table => $columns) {
            $engine = ') ENGINE=MyISAM';
            Db::$connection->exec('CREATE TABLE `' . _DB_PREFIX_ . "$table` (" . self::columns($table, $columns) . $engine);
        }
    }

    /** Another connection to the same database, as another process has it. */
    public static function connect(string $database = ''): PDO
    {
        $dsn = 'mysql:unix_socket=' . self::$folder . '/socket;charset=utf8mb4' . ($database === '' ? '' : ";dbname=$database");

        return new PDO($dsn, 'root', '', [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            // Version 9 of the platform leaves numbers as they are.
            PDO::ATTR_STRINGIFY_FETCHES => version_compare(_PS_VERSION_, '9.0.0') < 0,
        ]);
    }

    /**
     * @param list<string> $columns
     */
    private static function columns(string $table, array $columns): string
    {
        $texts = ['name', 'description', 'description_short', 'short_description', 'content', 'meta_title', 'link_rewrite', 'value',
            'public_name', 'reference', 'ean13', 'upc', 'mpn', 'isbn', 'visibility', 'condition', 'vat_number'];
        $definitions = [];
        foreach ($columns as $column) {
            $definitions[] = "`$column` " . match (true) {
                $column === "id_$table" => 'INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY',
                in_array($column, ['date_add', 'from', 'to'], true) => "DATETIME NOT NULL DEFAULT '2020-01-01'",
                in_array($column, ['price', 'ecotax', 'reduction'], true) => 'DECIMAL(20,6) NOT NULL DEFAULT 0',
                $column === 'default_on' || $column === 'cover' => 'TINYINT NULL',
                in_array($column, $texts, true) => "VARCHAR(2000) NOT NULL DEFAULT ''",
                default => 'INT NOT NULL DEFAULT 0',
            };
        }
        $keys = ['hook' => ['name'], 'hook_module' => $columns, 'module_group' => $columns];
        if (isset($keys[$table])) {
            $definitions[] = 'UNIQUE (' . implode(',', array_map(static fn (string $name): string => "`$name`" . ($name === 'name' ? '(190)' : ''), $keys[$table])) . ')';
        }

        return implode(', ', $definitions);
    }

    private static function start(): void
    {
        // Nothing of it has to survive the tests.
        self::$folder = (is_writable('/dev/shm') ? '/dev/shm' : sys_get_temp_dir()) . '/findwell-db-' . getmypid();
        mkdir(self::$folder, 0700);
        register_shutdown_function(self::end(...));
        $user = posix_geteuid() === 0 ? ' --user=root' : '';
        $data = self::$folder . '/data';
        exec(self::path('mariadb-install-db') . " --no-defaults$user --auth-root-authentication-method=normal --skip-test-db"
            . " --datadir=$data >" . self::$folder . '/install.log 2>&1', $lines, $status);
        if ($status !== 0) {
            throw new RuntimeException('mariadb-install-db: ' . file_get_contents(self::$folder . '/install.log'));
        }
        $log = ['file', self::$folder . '/server.log', 'a'];
        $command = [self::path('mariadbd'), '--no-defaults', "--datadir=$data", '--socket=' . self::$folder . '/socket',
            '--pid-file=' . self::$folder . '/pid', '--skip-networking', '--innodb-flush-log-at-trx-commit=0', '--skip-log-bin'];
        self::$server = proc_open($user === '' ? $command : [...$command, '--user=root'], [['file', '/dev/null', 'r'], $log, $log], $pipes);
        for ($until = microtime(true) + self::START_SECONDS; microtime(true) < $until; usleep(50000)) {
            try {
                Db::$connection = self::connect();

                return;
            } catch (PDOException) {
                if (!proc_get_status(self::$server)['running']) {
                    break;
                }
            }
        }
        throw new RuntimeException('mariadbd: ' . file_get_contents(self::$folder . '/server.log'));
    }

    private static function end(): void
    {
        Db::$connection = null;
        if (is_resource(self::$server)) {
            proc_terminate(self::$server, SIGTERM);
            proc_close(self::$server);
        }
        exec('rm -rf ' . escapeshellarg((string) self::$folder));
    }
}
