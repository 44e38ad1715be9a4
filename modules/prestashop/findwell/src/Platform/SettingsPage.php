<?php

/**
 * Findwell: the page of settings in the administration.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Context;
use Findwell\Core\Web\FormToken;
use Module;
use Shop;
use Tools;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class SettingsPage
{
    private const TEMPLATES = 'module:findwell/views/templates/admin/';

    public function __construct(
        private readonly Module $module,
        private readonly Context $context
    ) {
    }

    public function html(): string
    {
        if (Shop::isFeatureActive() && Shop::getContext() !== Shop::CONTEXT_SHOP) {
            return $this->fetch('choose.tpl', []);
        }
        $shop = (int) $this->context->shop->id;
        Boot::prepareShop($shop);
        $actions = new SettingsActions($this->module, $shop);
        $action = Tools::getValue('findwell_action');
        if (is_string($action) && $action !== '') {
            if ($this->mayWrite()) {
                $actions->run($action, $_POST);
            } else {
                $actions->reject();
            }
        }
        $sync = new ShopSync($shop);
        $check = $sync->keyCheck();
        $mayCall = $sync->connection->isConnected() && $sync->connection->brokenReason() === null;
        if ($mayCall && !$sync->connection->isCopy($sync->address()) && $check->isDue()) {
            $check->run($sync->deadline(2 * ShopSync::CHECK_SECONDS));
            PageSettings::save($sync);
        }
        $view = new SettingsView($this->module, $this->context, $sync);

        return $this->fetch('settings.tpl', $view->values() + [
            'steps' => $actions->steps,
            'errors' => $actions->errors,
            'notices' => $actions->notices,
            'report' => $actions->report,
            'form_token' => FormToken::create(_COOKIE_KEY_, (int) $this->context->employee->id, time()),
        ]);
    }

    /** The right to configure modules, and a form that this employee opened. */
    private function mayWrite(): bool
    {
        $isPost = ($_SERVER['REQUEST_METHOD'] ?? '') === 'POST';
        $employee = (int) ($this->context->employee->id ?? 0);

        return $isPost && Module::getPermissionStatic((int) $this->module->id, 'configure')
            && FormToken::isValid($_POST['findwell_token'] ?? null, _COOKIE_KEY_, $employee, time());
    }

    /**
     * @param array<string, mixed> $values
     */
    private function fetch(string $template, array $values): string
    {
        $this->context->smarty->assign(['findwell' => $values]);

        return $this->module->fetch(self::TEMPLATES . $template);
    }
}
