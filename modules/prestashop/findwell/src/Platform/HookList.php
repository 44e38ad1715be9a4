<?php

/**
 * Findwell: the hooks that the module needs, and whether each shop has them.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Module;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class HookList
{
    /** Classes of objects whose changes are noted => events; the method of the module is named like the hook. */
    public const OBJECTS = [
        'Product' => 'AUD', 'Combination' => 'AUD', 'StockAvailable' => 'AU', 'SpecificPrice' => 'AUD',
        'SpecificPriceRule' => 'AUD', 'Image' => 'AUD', 'Tag' => 'AUD', 'Category' => 'AUD', 'CMS' => 'AUD',
        'CMSCategory' => 'UD', 'Manufacturer' => 'AUD', 'Supplier' => 'UD', 'Feature' => 'AUD', 'FeatureValue' => 'AUD',
        'ProductAttribute' => 'AUD', 'AttributeGroup' => 'AUD', 'Group' => 'AUD', 'GroupReduction' => 'AUD',
        'Currency' => 'AUD', 'Tax' => 'AUD', 'TaxRule' => 'AUD', 'Language' => 'AUD', 'ShopUrl' => 'AUD',
    ];

    private const EVENTS = ['A' => 'AddAfter', 'U' => 'UpdateAfter', 'D' => 'DeleteAfter'];

    private const OTHERS = [
        'actionProductSave', 'actionAttributeCombinationSave', 'actionProductAttributeDelete', 'actionUpdateQuantity',
        'actionObjectSpecificPriceRuleUpdateBefore', 'actionValidateOrder', 'actionOrderStatusPostUpdate',
        'displayHeader', 'actionFrontControllerSetMedia', 'displayTop', 'displayNavFullWidth', 'displayHeaderCategory', 'displayAdminAfterHeader',
    ];

    /**
     * @return list<string>
     */
    public static function all(): array
    {
        $names = [];
        foreach (self::OBJECTS as $class => $events) {
            foreach (str_split($events) as $event) {
                $names[] = 'actionObject' . $class . self::EVENTS[$event];
            }
        }

        return [...$names, ...self::OTHERS];
    }

    /**
     * @param list<int> $shops
     */
    public static function register(Module $module, array $shops): bool
    {
        $isComplete = true;
        foreach (self::all() as $name) {
            $isComplete = $module->registerHook($name, $shops) && $isComplete;
        }

        return $isComplete;
    }

    /**
     * @return list<string> hooks that the shop lacks, as one created later without them
     */
    public static function missing(Module $module, int $shop): array
    {
        $registered = Sql::column('SELECT h.`name` FROM `{prefix}hook_module` hm
            INNER JOIN `{prefix}hook` h ON h.`id_hook` = hm.`id_hook`
            WHERE hm.`id_module` = ' . (int) $module->id . " AND hm.`id_shop` = $shop");
        $lowerCase = array_map(static fn (?string $name): string => strtolower((string) $name), $registered);

        return array_values(array_filter(
            self::all(),
            static fn (string $name): bool => !in_array(strtolower($name), $lowerCase, true)
        ));
    }
}
