<?php

/**
 * Findwell: the token that tells the service who searches.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

use Findwell\Platform\JsonResponse;
use Findwell\Platform\Visitor;

if (!defined('_PS_VERSION_')) {
    exit;
}

class FindwellVisitorModuleFrontController extends ModuleFrontController
{
    public function postProcess()
    {
        JsonResponse::releaseSession();
        JsonResponse::send(200, (new Visitor($this->context))->token());
        exit;
    }
}
