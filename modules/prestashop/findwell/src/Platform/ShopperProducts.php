<?php

/**
 * Findwell: which products the shopper of this request may see.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Context;
use Product;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ShopperProducts
{
    /**
     * @param list<int> $ids
     *
     * @return array<int, array<string, string|null>> id => row, in the order asked
     */
    public static function visible(Context $context, array $ids): array
    {
        $shop = (int) $context->shop->id;
        $scope = ProductRows::scope($shop);
        $rows = Sql::rows("SELECT p.`id_product`, ps.`show_price`, ps.`available_for_order`,
                IFNULL((SELECT pas.`id_product_attribute` FROM `{prefix}product_attribute_shop` pas
                    WHERE pas.`id_product` = p.`id_product` AND pas.`id_shop` = $shop ORDER BY IFNULL(pas.`default_on`, 0) DESC LIMIT 1), 0) AS variant
            $scope AND ps.`id_product` IN (" . Sql::ids($ids) . ')');
        $rows = array_column($rows, null, 'id_product');
        $customer = (int) ($context->customer->id ?? 0);
        $visible = [];
        foreach ($ids as $id) {
            if (isset($rows[$id]) && Product::checkAccessStatic($id, $customer)) {
                $visible[$id] = $rows[$id];
            }
        }

        return $visible;
    }
}
