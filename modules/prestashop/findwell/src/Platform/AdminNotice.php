<?php

/**
 * Findwell: the notice at the top of the administration's pages, for employees who can do something about it.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Context;
use Module;
use Shop;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class AdminNotice
{
    public function __construct(
        private readonly Module $module,
        private readonly Context $context
    ) {
    }

    /** Empty while all is well, and on the page of settings, which says more. */
    public function html(): string
    {
        $isSettingsPage = preg_match('#\bconfigure[=/]' . Boot::NAME . '\b#', (string) ($_SERVER['REQUEST_URI'] ?? '')) === 1;
        if ($isSettingsPage || !Module::getPermissionStatic((int) $this->module->id, 'configure')) {
            return '';
        }
        $shops = [];
        foreach (Settings::connectedShops() as $shop) {
            $trouble = Trouble::of(new ShopSync($shop));
            if (Boot::isActive($shop) && Trouble::isAny($trouble)) {
                $shops[] = $trouble + ['name' => Shop::isFeatureActive() ? (string) (new Shop($shop))->name : ''];
            }
        }
        if ($shops === []) {
            return '';
        }
        $link = $this->context->link->getAdminLink('AdminModules', true, [], ['configure' => Boot::NAME]);
        $this->context->smarty->assign(['findwell' => ['shops' => $shops, 'settings' => $link]]);

        return $this->module->fetch('module:findwell/views/templates/admin/notice.tpl');
    }
}
