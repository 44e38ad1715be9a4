<?php

/**
 * Findwell: the test page of the owner; without its token, the page that every unknown address has.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

use Findwell\Platform\PageParts;
use Findwell\Platform\Settings;
use Findwell\Platform\ShopSync;
use Findwell\Platform\TestPage;

if (!defined('_PS_VERSION_')) {
    exit;
}

class FindwellTestModuleFrontController extends ModuleFrontController
{
    public function initContent()
    {
        header('Cache-Control: no-store, private');
        header('X-Robots-Tag: noindex');
        $shop = (int) $this->context->shop->id;
        $expected = (string) Settings::of($shop)->get('test_token');
        $token = Tools::getValue('token');
        if (!is_string($token) || $expected === '' || !hash_equals($expected, $token)) {
            header('HTTP/1.1 404 Not Found');
            $this->php_self = 'pagenotfound';
            $this->page_name = 'pagenotfound';
            parent::initContent();
            $this->setTemplate('errors/404');

            return;
        }
        PageParts::addStyle($this);
        parent::initContent();
        $this->context->smarty->assign([
            'findwell' => (new TestPage($this->context, new ShopSync($shop)))->values(),
            'findwell_action' => $this->context->link->getPageLink('search'),
            'findwell_query' => '',
            'findwell_place' => 'page',
        ]);
        $this->setTemplate('module:findwell/views/templates/front/test.tpl');
    }
}
