<?php

/**
 * Findwell: stub of the platform for tests: catalogue rules, which remove their prices before any hook is fired.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class SpecificPriceRule extends ObjectModel
{
    public function delete()
    {
        Db::$connection->exec('DELETE FROM ' . _DB_PREFIX_ . 'specific_price WHERE id_specific_price_rule = ' . (int) $this->id);
        Db::$connection->exec('DELETE FROM ' . _DB_PREFIX_ . 'specific_price_rule WHERE id_specific_price_rule = ' . (int) $this->id);

        return parent::delete();
    }
}
