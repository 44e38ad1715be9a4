<?php

/**
 * Findwell: stub of the platform for tests: customer groups.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Group extends ObjectModel
{
    public static bool $isActive = true;
    public static int $current = 1;
    /** @var list<int> groups that see no prices */
    public static array $hiding = [];
    public $show_prices = true;

    public static function getGroups($id_lang, $id_shop = false)
    {
        $row = static fn (int $id, string $name, string $tax): array =>
            ['id_group' => (string) $id, 'name' => $name, 'show_prices' => in_array($id, self::$hiding, true) ? '0' : '1', 'price_display_method' => $tax];

        return [$row(1, 'Visitor', '0'), $row(2, 'Guest', '0'), $row(3, 'Customer', '0'), $row(4, 'Wholesale', '1')];
    }

    public static function isFeatureActive()
    {
        return self::$isActive;
    }

    public static function getCurrent()
    {
        $group = new self();
        $group->id = self::$current;
        $group->show_prices = !in_array(self::$current, self::$hiding, true);

        return $group;
    }

    public static function getPriceDisplayMethod($id_group)
    {
        return (int) $id_group === 4 ? '1' : '0';
    }
}
