<?php

/**
 * Findwell: stub of the platform for tests: a module, installed into the tables that the platform has for it.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Module
{
    public const MULTISTORE_COMPATIBILITY_YES = 20;

    public static bool $mayConfigure = true;
    /** A hook that cannot be registered. */
    public static ?string $rejectedHook = null;

    public ?int $id = null;
    public string $name = '';
    public string $tab = '';
    public string $version = '';
    public string $author = '';
    public $need_instance = 1;
    public bool $bootstrap = false;
    /** @var array<string, string> */
    public array $ps_versions_compliancy = [];
    public int $multistoreCompatibility = 0;
    public string $displayName = '';
    public string $description = '';
    public string $confirmUninstall = '';
    public bool $active = false;
    public Context $context;
    /** @var list<string> */
    public $_errors = [];

    public function __construct()
    {
        $this->context = Context::getContext();
        $id = self::row($this->name);
        if ($id !== null) {
            $this->id = $id;
            $this->active = true;
        }
    }

    private static function row(string $name): ?int
    {
        $rows = Db::$connection?->query('SELECT id_module FROM ' . _DB_PREFIX_ . "module WHERE name = '$name'")->fetchAll();

        return isset($rows[0]) ? (int) $rows[0][0] : null;
    }

    public static function getInstanceByName($module_name)
    {
        return self::row($module_name) === null ? false : new Findwell();
    }

    public static function isInstalled($module_name)
    {
        return self::row($module_name) !== null;
    }

    public static function getPermissionStatic($id_module, $variable, $employee = null)
    {
        return self::$mayConfigure;
    }

    public function install()
    {
        Db::$connection->exec('INSERT INTO ' . _DB_PREFIX_ . "module (name) VALUES ('$this->name')");
        $this->id = (int) Db::$connection->lastInsertId();
        foreach (array_keys(Shop::$shops) as $shop) {
            Db::$connection->exec('INSERT INTO ' . _DB_PREFIX_ . "module_shop VALUES ($this->id, $shop)");
            Db::$connection->exec('INSERT INTO ' . _DB_PREFIX_ . "module_group
                SELECT $this->id, $shop, id_group FROM " . _DB_PREFIX_ . 'group');
        }
        $this->active = true;

        return true;
    }

    public function uninstall()
    {
        foreach (['hook_module', 'module_shop', 'module_group', 'module'] as $table) {
            Db::$connection->exec('DELETE FROM ' . _DB_PREFIX_ . "$table WHERE id_module = " . (int) $this->id);
        }

        return true;
    }

    public function registerHook($hook_name, $shop_list = null)
    {
        if ($hook_name === self::$rejectedHook) {
            return false;
        }
        // The platform refuses a hook that the module has no method for.
        if (!method_exists($this, 'hook' . ucfirst($hook_name))) {
            throw new LogicException("no method for $hook_name");
        }
        $table = _DB_PREFIX_ . 'hook';
        Db::$connection->exec("INSERT IGNORE INTO $table (name) VALUES ('$hook_name')");
        foreach ($shop_list ?? array_keys(Shop::$shops) as $shop) {
            Db::$connection->exec("INSERT IGNORE INTO {$table}_module (id_module, id_shop, id_hook)
                SELECT $this->id, $shop, id_hook FROM $table WHERE name = '$hook_name'");
        }

        return true;
    }

    public function getPathUri()
    {
        return '/modules/' . $this->name . '/';
    }

    public function fetch($templatePath, $cache_id = null, $compile_id = null)
    {
        return $templatePath . json_encode($this->context->smarty->values);
    }

    protected function trans($id, array $parameters = [], $domain = null, $locale = null)
    {
        return $id;
    }
}
