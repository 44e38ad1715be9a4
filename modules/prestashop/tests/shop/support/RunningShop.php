<?php

/**
 * Findwell: a running shop, of which a test knows the folder, the address, the database and a login.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop\support;

use Findwell\Tests\contract\support\Service;
use PDO;
use RuntimeException;

final class RunningShop
{
    public readonly PDO $database;
    public readonly string $prefix;
    private readonly string $folder;
    public readonly string $address;
    private readonly string $jar;

    public function __construct()
    {
        $this->folder = (string) getenv('FINDWELL_SHOP_DIR');
        $this->address = rtrim((string) getenv('FINDWELL_SHOP_URL'), '/');
        $parts = parse_url((string) getenv('FINDWELL_SHOP_DB'));
        $dsn = sprintf('mysql:host=%s;port=%d;dbname=%s;charset=utf8mb4', $parts['host'], $parts['port'] ?? 3306, trim($parts['path'], '/'));
        $this->database = new PDO($dsn, $parts['user'], $parts['pass'] ?? '', [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
        $this->prefix = getenv('FINDWELL_SHOP_PREFIX') ?: 'ps_';
        $this->jar = (string) tempnam(sys_get_temp_dir(), 'findwell-cookies');
    }

    /** Why there is no shop to test; null if there is one. */
    public static function missing(): ?string
    {
        foreach (['FINDWELL_SHOP_DIR', 'FINDWELL_SHOP_URL', 'FINDWELL_SHOP_DB', 'FINDWELL_SHOP_LOGIN'] as $name) {
            if ((string) getenv($name) === '') {
                return "$name is not set";
            }
        }

        return is_executable(Service::binary()) ? null : 'no service binary';
    }

    /** Runs code inside the shop and returns what it returns. */
    public function php(string $code): mixed
    {
        $pipes = [];
        $command = [PHP_BINARY, '-d', 'memory_limit=512M', __DIR__ . '/run.php', $this->folder, $this->address];
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
        fwrite($pipes[0], $code);
        fclose($pipes[0]);
        $output = stream_get_contents($pipes[1]);
        $errors = stream_get_contents($pipes[2]);
        proc_close($process);
        if ($output === '') {
            throw new RuntimeException("no result of: $code\n$errors");
        }

        return json_decode($output, true, 64, JSON_THROW_ON_ERROR);
    }

    /** Runs code inside the shop, and kills it after so many microseconds. */
    public function kill(string $code, int $after): void
    {
        $pipes = [];
        $none = ['file', '/dev/null', 'w'];
        $process = proc_open([PHP_BINARY, __DIR__ . '/run.php', $this->folder, $this->address], [['pipe', 'r'], $none, $none], $pipes);
        fwrite($pipes[0], $code);
        fclose($pipes[0]);
        usleep($after);
        proc_terminate($process, SIGKILL);
        proc_close($process);
    }

    public function console(string $arguments): string
    {
        return (string) shell_exec('cd ' . escapeshellarg($this->folder) . ' && ' . escapeshellarg(PHP_BINARY)
            . ' -d error_reporting=1 -d memory_limit=1G bin/console ' . $arguments . ' 2>&1');
    }

    public function value(string $sql): ?string
    {
        $value = $this->database->query(str_replace('{prefix}', $this->prefix, $sql))->fetchColumn();

        return $value === false || $value === null ? null : (string) $value;
    }

    public function sql(string $sql): void
    {
        $this->database->exec(str_replace('{prefix}', $this->prefix, $sql));
    }

    public function setting(string $name): mixed
    {
        $value = $this->value("SELECT `value` FROM {prefix}findwell_setting WHERE `id_shop` = 1 AND `name` = '$name'");

        return $value === null ? null : json_decode($value, true);
    }

    /**
     * @param array<string, string> $form
     *
     * @return array{0: int, 1: string, 2: string} status, headers, body
     */
    public function request(string $path, array $form = [], bool $follows = true): array
    {
        $handle = curl_init(str_starts_with($path, 'http') ? $path : $this->address . $path);
        curl_setopt_array($handle, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADER => true,
            CURLOPT_FOLLOWLOCATION => $follows,
            CURLOPT_COOKIEJAR => $this->jar,
            CURLOPT_COOKIEFILE => $this->jar,
            CURLOPT_TIMEOUT => 300,
        ]);
        if ($form !== []) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, http_build_query($form));
        }
        $response = (string) curl_exec($handle);
        $size = (int) curl_getinfo($handle, CURLINFO_HEADER_SIZE);

        return [(int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE), substr($response, 0, $size), substr($response, $size)];
    }

    /**
     * @return array<string, mixed>
     */
    public function module(string $controller, string $query): array
    {
        return json_decode($this->request("/en/module/findwell/$controller?$query")[2], true) ?? [];
    }

    /**
     * @return array<string, mixed>
     */
    public function cron(string $query = 'what=sync'): array
    {
        return $this->module('cron', 'token=' . $this->setting('cron_token') . '&' . $query);
    }

    /** Whether a file of the shop calls a hook by this name. */
    public function fires(string $hook): bool
    {
        $files = 'classes controllers src themes modules/ps_searchbar';
        $pattern = escapeshellarg("['\"]" . $hook . "['\"]");
        exec('cd ' . escapeshellarg($this->folder) . " && grep -rqiE --include=*.php --include=*.tpl $pattern $files", $lines, $status);

        return $status === 0;
    }

    /**
     * @param list<string> $columns
     *
     * @return list<string> those that the table has
     */
    public function columns(string $table, array $columns): array
    {
        $statement = $this->database->prepare('SELECT column_name FROM information_schema.columns
            WHERE table_schema = DATABASE() AND table_name = ?');
        $statement->execute([$this->prefix . $table]);

        return array_values(array_intersect($columns, $statement->fetchAll(PDO::FETCH_COLUMN)));
    }

    public function settingsAddress(): string
    {
        return (string) $this->php('return Context::getContext()->link->getAdminLink("AdminModules", true, [], ["configure" => "findwell"]);');
    }

    /** Sends the real form of the settings, as an employee who has logged in, and returns the page that follows. */
    public function form(string $action, array $fields = []): string
    {
        $address = (string) getenv('FINDWELL_SHOP_SETTINGS') ?: $this->settingsAddress();
        $page = $this->request($address)[2];
        if (preg_match('/name="findwell_token" value="([0-9a-f]{64})"/', $page, $match) !== 1) {
            $this->login();
            $page = $this->request($address)[2];
            if (preg_match('/name="findwell_token" value="([0-9a-f]{64})"/', $page, $match) !== 1) {
                throw new RuntimeException('no settings page: ' . substr(strip_tags($page), 0, 500));
            }
        }

        return $this->request($address, ['findwell_token' => $match[1], 'findwell_action' => $action] + $fields)[2];
    }

    private function login(): void
    {
        [$email, $password] = explode(':', (string) getenv('FINDWELL_SHOP_LOGIN'), 2);
        $admin = basename(dirname(glob($this->folder . '/*/themes/new-theme')[0], 2));
        $page = $this->request("/$admin/");
        if (preg_match('/id="_token" name="_token" value="([^"]+)"/', $page[2], $match) === 1) {
            $form = ['email' => $email, 'passwd' => $password, '_token' => $match[1], 'submit_login' => '1'];
            $this->request("/$admin/login", $form);

            return;
        }
        $this->request("/$admin/index.php?controller=AdminLogin", ['ajax' => '1', 'controller' => 'AdminLogin', 'submitLogin' => '1',
            'email' => $email, 'passwd' => $password]);
    }
}
