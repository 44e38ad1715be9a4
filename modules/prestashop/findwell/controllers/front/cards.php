<?php

/**
 * Findwell: products as the theme draws them.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

use Findwell\Core\Web\ProductIds;
use Findwell\Platform\Cards;
use Findwell\Platform\JsonResponse;

if (!defined('_PS_VERSION_')) {
    exit;
}

class FindwellCardsModuleFrontController extends ModuleFrontController
{
    public function initContent()
    {
        JsonResponse::releaseSession();
        // The templates of the theme read the variables of a page.
        parent::initContent();
        [$ids, $ignored] = ProductIds::parse(Tools::getValue('ids'));
        JsonResponse::send(200, (new Cards($this->context))->of($ids, $ignored));
        exit;
    }
}
