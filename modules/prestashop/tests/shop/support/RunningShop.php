<?php

/**
 * Findwell: a running shop, of which a test knows the folder, the address, the database and a login.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop\support;

use CURLFile;
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

    /**
     * Runs code in a request to the web server of the shop, as its administration does, and returns what it returns.
     *
     * @param string|null $upload file that the request uploads as `picture`
     *
     * @return array{0: float, 1: mixed} seconds until the response was complete, result
     */
    public function web(string $code, ?string $upload = null): array
    {
        $name = 'findwell-test-' . bin2hex(random_bytes(8)) . '.php';
        $run = file_get_contents(__DIR__ . '/run.php');
        $run = str_replace(['[, $folder, $address] = $argv;', 'stream_get_contents(STDIN)', 'fwrite(STDOUT, json_encode($result));'], [
            '[$folder, $address] = ' . var_export([$this->folder, $this->address], true) . ';',
            var_export($code, true),
            'header("Content-Type: application/json"); echo json_encode($result);',
        ], $run);
        file_put_contents($this->folder . '/' . $name, $run);
        try {
            $started = microtime(true);
            [$status, , $body] = $this->request("/$name", $upload === null ? [] : ['picture' => new CURLFile($upload)]);
            $seconds = microtime(true) - $started;
        } finally {
            unlink($this->folder . '/' . $name);
        }
        if ($status !== 200) {
            throw new RuntimeException("status $status of: $code\n$body");
        }

        return [$seconds, json_decode($body, true, 64, JSON_THROW_ON_ERROR)];
    }

    /** Adds copies of a product by SQL; the first has the id 50,001. */
    public function copy(int $product, int $count): void
    {
        $this->sql("SET SESSION sql_mode = ''");
        $this->forget();
        $ids = "seq_50001_to_" . (50000 + $count);
        $this->sql("INSERT INTO {prefix}product (id_product, id_manufacturer, id_category_default, id_tax_rules_group, price, reference, active,
                available_for_order, `condition`, show_price, visibility, date_add, date_upd, state, product_type, redirect_type, id_shop_default)
            SELECT seq, id_manufacturer, id_category_default, id_tax_rules_group, 10 + seq / 1000, CONCAT('C', seq), 1,
                1, 'new', 1, 'both', date_add, date_upd, 1, 'standard', 'default', 1 FROM $ids, {prefix}product WHERE id_product = $product");
        $this->sql("INSERT INTO {prefix}product_shop (id_product, id_shop, id_category_default, id_tax_rules_group, price, active,
                available_for_order, `condition`, show_price, visibility, date_add, date_upd, redirect_type)
            SELECT id_product, 1, id_category_default, id_tax_rules_group, price, 1, 1, 'new', 1, 'both', date_add, date_upd, 'default'
            FROM {prefix}product WHERE id_product > 50000");
        $this->sql("INSERT INTO {prefix}product_lang (id_product, id_shop, id_lang, name, link_rewrite, description, description_short)
            SELECT seq, 1, id_lang, CONCAT(name, ' copy', seq), link_rewrite, description, description_short
            FROM $ids, {prefix}product_lang WHERE id_product = $product AND id_shop = 1");
        $this->sql("INSERT INTO {prefix}category_product (id_category, id_product, position)
            SELECT id_category, seq, seq FROM $ids, {prefix}category_product WHERE id_product = $product");
        $this->sql("INSERT INTO {prefix}stock_available (id_product, id_product_attribute, id_shop, id_shop_group, quantity, out_of_stock)
            SELECT seq, 0, 1, 0, 100, 2 FROM $ids");
    }

    /** Removes what was copied. */
    public function forget(): void
    {
        foreach (['product', 'product_shop', 'product_lang', 'category_product', 'stock_available'] as $table) {
            $this->sql("DELETE FROM {prefix}$table WHERE id_product > 50000");
        }
    }

    /** Waits until a killed call has let go of the lock of the first shop, which the database notices a moment later. */
    public function awaitLock(): void
    {
        $name = 'fw_' . md5($this->value('SELECT DATABASE()') . '|' . $this->prefix) . '_1';
        for ($until = microtime(true) + 120; microtime(true) < $until && $this->value("SELECT IS_FREE_LOCK('$name')") !== '1';) {
            usleep(50000);
        }
    }

    /** Runs code inside the shop, and kills it so many microseconds after it has written this file. */
    public function kill(string $code, int $after, string $begun): void
    {
        @unlink($begun);
        $pipes = [];
        $none = ['file', '/dev/null', 'w'];
        $process = proc_open([PHP_BINARY, __DIR__ . '/run.php', $this->folder, $this->address], [['pipe', 'r'], $none, $none], $pipes);
        fwrite($pipes[0], $code);
        fclose($pipes[0]);
        for ($until = microtime(true) + 60; microtime(true) < $until && !is_file($begun);) {
            usleep(1000);
        }
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
     * @param array<string, mixed> $form
     * @param list<string> $headers
     *
     * @return array{0: int, 1: string, 2: string} status, headers, body
     */
    public function request(string $path, array $form = [], array $headers = []): array
    {
        $handle = curl_init(str_starts_with($path, 'http') ? $path : $this->address . $path);
        curl_setopt_array($handle, [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADER => true,
            CURLOPT_FOLLOWLOCATION => true,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_COOKIEJAR => $this->jar,
            CURLOPT_COOKIEFILE => $this->jar,
            CURLOPT_TIMEOUT => 300,
        ]);
        if ($form !== []) {
            $isUpload = array_filter($form, static fn (mixed $value): bool => $value instanceof CURLFile) !== [];
            curl_setopt($handle, CURLOPT_POSTFIELDS, $isUpload ? $form : http_build_query($form));
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
        $admin = basename(dirname(glob($this->folder . '/*/themes/new-theme')[0] ?? 'x/x', 2));
        $files = "classes controllers src themes modules/ps_searchbar $admin/themes";
        $pattern = escapeshellarg("['\"]" . $hook . "['\"]");
        exec('cd ' . escapeshellarg($this->folder) . " && grep -rqiE --include=*.php --include=*.tpl --include=*.twig $pattern $files", $lines, $status);

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
