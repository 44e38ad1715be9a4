<?php

/**
 * Findwell: stub of the platform for tests: a shop and the context of shops.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Shop
{
    public const CONTEXT_SHOP = 1;
    public const CONTEXT_GROUP = 2;
    public const CONTEXT_ALL = 4;

    /** @var array<int, string> id => domain */
    public static array $shops = [1 => 'shop.example'];
    private static int $context = self::CONTEXT_SHOP;
    private static ?int $contextId = 1;

    public int $id;
    public string $domain;
    public string $domain_ssl;

    public function __construct($id = null, $id_lang = null, $id_shop = null)
    {
        $this->id = (int) $id;
        $this->domain = $this->domain_ssl = self::$shops[$this->id] ?? '';
    }

    public function getBaseURI()
    {
        return '/';
    }

    public function getCategory()
    {
        return 2;
    }

    public static function getCompleteListOfShopsID()
    {
        // The platform reads them as text.
        return array_map('strval', array_keys(self::$shops));
    }

    public static function isFeatureActive()
    {
        return count(self::$shops) > 1;
    }

    public static function getContext()
    {
        return self::$context;
    }

    public static function getContextShopID($null_value_without_multishop = false)
    {
        return self::$context === self::CONTEXT_SHOP ? self::$contextId : null;
    }

    public static function getContextShopGroupID($null_value_without_multishop = false)
    {
        return self::$context === self::CONTEXT_GROUP ? self::$contextId : null;
    }

    public static function setContext($type, $id = null)
    {
        self::$context = $type;
        self::$contextId = $id === null ? null : (int) $id;
    }
}
