<?php

/**
 * Findwell: the prices of products for the visitor who asks.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

use Findwell\Core\Web\ProductIds;
use Findwell\Platform\JsonResponse;
use Findwell\Platform\LivePrices;

if (!defined('_PS_VERSION_')) {
    exit;
}

class FindwellPricesModuleFrontController extends ModuleFrontController
{
    public function postProcess()
    {
        JsonResponse::releaseSession();
        [$ids] = ProductIds::parse(Tools::getValue('ids'));
        JsonResponse::send(200, (new LivePrices($this->context))->of($ids));
        exit;
    }
}
