<?php
/**
 * Findwell: the module as the platform sees it; in the syntax of PHP 7.2, because older shops load it before they refuse it.
 *
 * @license Apache-2.0
 */

if (!defined('_PS_VERSION_')) {
    exit;
}

require_once __DIR__ . '/autoload.php';

class Findwell extends Module
{
    private const MINIMUM_PHP = 80100;

    public function __construct()
    {
        $this->name = 'findwell';
        $this->tab = 'search_filter';
        $this->version = '1.1.0';
        $this->author = 'Findwell';
        $this->need_instance = 0;
        $this->bootstrap = true;
        $this->ps_versions_compliancy = ['min' => '8.0.0', 'max' => '9.99.99'];
        parent::__construct();
        $this->multistoreCompatibility = self::MULTISTORE_COMPATIBILITY_YES;
        $this->displayName = $this->trans('Findwell search', [], 'Modules.Findwell.Admin');
        $this->description = $this->trans('Fast search with typing errors, filters and suggestions.', [], 'Modules.Findwell.Admin');
        $this->confirmUninstall =
            $this->trans('All settings are removed. What the service has stays there; deactivate the key of the pages in its panel.', [], 'Modules.Findwell.Admin');
        // Not on pages of the store, where even one statement is too many.
        if (defined('_PS_ADMIN_DIR_') && $this->canRun() && $this->id && $this->active) {
            $this->quietly(function () {
                Findwell\Platform\Boot::upgrade($this);
            });
        }
    }

    public function isUsingNewTranslationSystem()
    {
        return true;
    }

    public function install()
    {
        if (!$this->canRun()) {
            $this->_errors[] = $this->trans('Findwell needs PHP 8.1 or later.', [], 'Modules.Findwell.Admin');

            return false;
        }
        if (!parent::install()) {
            return false;
        }
        if (!Findwell\Platform\Boot::install($this)) {
            $this->uninstall();

            return false;
        }

        return true;
    }

    public function uninstall()
    {
        if (!$this->canRun()) {
            return parent::uninstall();
        }
        $this->quietly(function () {
            Findwell\Platform\Removal::endRuns();
        });

        return parent::uninstall() && Findwell\Platform\Removal::settings();
    }

    public function getContent()
    {
        return (new Findwell\Platform\SettingsPage($this, $this->context))->html();
    }

    public function hookDisplayHeader()
    {
        return $this->quietly(function () {
            return (new Findwell\Platform\PageParts($this->context))->line();
        });
    }

    public function hookActionFrontControllerSetMedia()
    {
        $this->quietly(function () {
            if ((new Findwell\Platform\PageParts($this->context))->placesBox()) {
                Findwell\Platform\PageParts::addStyle($this->context->controller);
            }
        });
    }

    public function hookDisplayTop()
    {
        return $this->box('displayTop');
    }

    public function hookDisplayNavFullWidth()
    {
        return $this->box('displayNavFullWidth');
    }

    public function hookDisplayHeaderCategory()
    {
        return $this->quietly(function () {
            $isSearch = $this->context->controller instanceof SearchController;

            return $isSearch && (new Findwell\Platform\PageParts($this->context))->isOn()
                ? $this->fetch('module:findwell/views/templates/hook/results.tpl')
                : '';
        });
    }

    public function hookDisplayAdminAfterHeader()
    {
        return $this->quietly(function () {
            return (new Findwell\Platform\AdminNotice($this, $this->context))->html();
        });
    }

    private function box($hook)
    {
        return $this->quietly(function () use ($hook) {
            if (!(new Findwell\Platform\PageParts($this->context))->hasBox($hook)) {
                return '';
            }
            $this->context->smarty->assign([
                'findwell_action' => $this->context->link->getPageLink('search'),
                'findwell_query' => (string) Tools::getValue('s', ''),
                'findwell_place' => $hook === 'displayTop' ? 'top' : 'bar',
            ]);

            return $this->fetch('module:findwell/views/templates/hook/box.tpl');
        });
    }

    /** Nothing that goes wrong here may break a page or a save; the platform catches less than that. */
    private function quietly(callable $work)
    {
        try {
            return $this->canRun() ? $work() : '';
        } catch (Throwable $failure) {
            Findwell\Platform\Log::failure($failure);

            return '';
        }
    }

    private function canRun()
    {
        return PHP_VERSION_ID >= self::MINIMUM_PHP;
    }

    private function note($class, $parameters)
    {
        if ($this->canRun()) {
            Findwell\Platform\Changes::object($class, $parameters['object'] ?? null);
        }
    }

    public function hookActionProductSave($parameters)
    {
        $this->quietly(function () use ($parameters) {
            Findwell\Platform\Changes::product($parameters['id_product'] ?? 0);
        });
    }

    public function hookActionAttributeCombinationSave($parameters)
    {
        $this->quietly(function () use ($parameters) {
            Findwell\Platform\Changes::variant($parameters['id_product_attribute'] ?? 0);
        });
    }

    public function hookActionProductAttributeDelete($parameters)
    {
        $this->hookActionProductSave($parameters);
    }

    public function hookActionUpdateQuantity($parameters)
    {
        $this->hookActionProductSave($parameters);
    }

    public function hookActionObjectSpecificPriceRuleUpdateBefore($parameters)
    {
        $this->note('SpecificPriceRule', $parameters);
    }

    public function hookActionValidateOrder($parameters)
    {
        $this->quietly(function () use ($parameters) {
            Findwell\Platform\Changes::order($parameters['order']->id ?? 0);
        });
    }

    public function hookActionOrderStatusPostUpdate($parameters)
    {
        $this->quietly(function () use ($parameters) {
            Findwell\Platform\Changes::order($parameters['id_order'] ?? 0);
        });
    }

    public function hookActionObjectProductAddAfter($parameters)
    {
        $this->note('Product', $parameters);
    }

    public function hookActionObjectProductUpdateAfter($parameters)
    {
        $this->note('Product', $parameters);
    }

    public function hookActionObjectProductDeleteAfter($parameters)
    {
        $this->note('Product', $parameters);
    }

    public function hookActionObjectCombinationAddAfter($parameters)
    {
        $this->note('Combination', $parameters);
    }

    public function hookActionObjectCombinationUpdateAfter($parameters)
    {
        $this->note('Combination', $parameters);
    }

    public function hookActionObjectCombinationDeleteAfter($parameters)
    {
        $this->note('Combination', $parameters);
    }

    public function hookActionObjectStockAvailableAddAfter($parameters)
    {
        $this->note('StockAvailable', $parameters);
    }

    public function hookActionObjectStockAvailableUpdateAfter($parameters)
    {
        $this->note('StockAvailable', $parameters);
    }

    public function hookActionObjectSpecificPriceAddAfter($parameters)
    {
        $this->note('SpecificPrice', $parameters);
    }

    public function hookActionObjectSpecificPriceUpdateAfter($parameters)
    {
        $this->note('SpecificPrice', $parameters);
    }

    public function hookActionObjectSpecificPriceDeleteAfter($parameters)
    {
        $this->note('SpecificPrice', $parameters);
    }

    public function hookActionObjectSpecificPriceRuleAddAfter($parameters)
    {
        $this->note('SpecificPriceRule', $parameters);
    }

    public function hookActionObjectSpecificPriceRuleUpdateAfter($parameters)
    {
        $this->note('SpecificPriceRule', $parameters);
    }

    public function hookActionObjectSpecificPriceRuleDeleteAfter($parameters)
    {
        $this->note('SpecificPriceRule', $parameters);
    }

    public function hookActionObjectImageAddAfter($parameters)
    {
        $this->note('Image', $parameters);
    }

    public function hookActionObjectImageUpdateAfter($parameters)
    {
        $this->note('Image', $parameters);
    }

    public function hookActionObjectImageDeleteAfter($parameters)
    {
        $this->note('Image', $parameters);
    }

    public function hookActionObjectTagAddAfter($parameters)
    {
        $this->note('Tag', $parameters);
    }

    public function hookActionObjectTagUpdateAfter($parameters)
    {
        $this->note('Tag', $parameters);
    }

    public function hookActionObjectTagDeleteAfter($parameters)
    {
        $this->note('Tag', $parameters);
    }

    public function hookActionObjectCategoryAddAfter($parameters)
    {
        $this->note('Category', $parameters);
    }

    public function hookActionObjectCategoryUpdateAfter($parameters)
    {
        $this->note('Category', $parameters);
    }

    public function hookActionObjectCategoryDeleteAfter($parameters)
    {
        $this->note('Category', $parameters);
    }

    public function hookActionObjectCMSAddAfter($parameters)
    {
        $this->note('CMS', $parameters);
    }

    public function hookActionObjectCMSUpdateAfter($parameters)
    {
        $this->note('CMS', $parameters);
    }

    public function hookActionObjectCMSDeleteAfter($parameters)
    {
        $this->note('CMS', $parameters);
    }

    public function hookActionObjectCMSCategoryUpdateAfter($parameters)
    {
        $this->note('CMSCategory', $parameters);
    }

    public function hookActionObjectCMSCategoryDeleteAfter($parameters)
    {
        $this->note('CMSCategory', $parameters);
    }

    public function hookActionObjectManufacturerAddAfter($parameters)
    {
        $this->note('Manufacturer', $parameters);
    }

    public function hookActionObjectManufacturerUpdateAfter($parameters)
    {
        $this->note('Manufacturer', $parameters);
    }

    public function hookActionObjectManufacturerDeleteAfter($parameters)
    {
        $this->note('Manufacturer', $parameters);
    }

    public function hookActionObjectSupplierUpdateAfter($parameters)
    {
        $this->note('Supplier', $parameters);
    }

    public function hookActionObjectSupplierDeleteAfter($parameters)
    {
        $this->note('Supplier', $parameters);
    }

    public function hookActionObjectFeatureAddAfter($parameters)
    {
        $this->note('Feature', $parameters);
    }

    public function hookActionObjectFeatureUpdateAfter($parameters)
    {
        $this->note('Feature', $parameters);
    }

    public function hookActionObjectFeatureDeleteAfter($parameters)
    {
        $this->note('Feature', $parameters);
    }

    public function hookActionObjectFeatureValueAddAfter($parameters)
    {
        $this->note('FeatureValue', $parameters);
    }

    public function hookActionObjectFeatureValueUpdateAfter($parameters)
    {
        $this->note('FeatureValue', $parameters);
    }

    public function hookActionObjectFeatureValueDeleteAfter($parameters)
    {
        $this->note('FeatureValue', $parameters);
    }

    public function hookActionObjectProductAttributeAddAfter($parameters)
    {
        $this->note('ProductAttribute', $parameters);
    }

    public function hookActionObjectProductAttributeUpdateAfter($parameters)
    {
        $this->note('ProductAttribute', $parameters);
    }

    public function hookActionObjectProductAttributeDeleteAfter($parameters)
    {
        $this->note('ProductAttribute', $parameters);
    }

    public function hookActionObjectAttributeGroupAddAfter($parameters)
    {
        $this->note('AttributeGroup', $parameters);
    }

    public function hookActionObjectAttributeGroupUpdateAfter($parameters)
    {
        $this->note('AttributeGroup', $parameters);
    }

    public function hookActionObjectAttributeGroupDeleteAfter($parameters)
    {
        $this->note('AttributeGroup', $parameters);
    }

    public function hookActionObjectGroupAddAfter($parameters)
    {
        $this->note('Group', $parameters);
    }

    public function hookActionObjectGroupUpdateAfter($parameters)
    {
        $this->note('Group', $parameters);
    }

    public function hookActionObjectGroupDeleteAfter($parameters)
    {
        $this->note('Group', $parameters);
    }

    public function hookActionObjectGroupReductionAddAfter($parameters)
    {
        $this->note('GroupReduction', $parameters);
    }

    public function hookActionObjectGroupReductionUpdateAfter($parameters)
    {
        $this->note('GroupReduction', $parameters);
    }

    public function hookActionObjectGroupReductionDeleteAfter($parameters)
    {
        $this->note('GroupReduction', $parameters);
    }

    public function hookActionObjectCurrencyAddAfter($parameters)
    {
        $this->note('Currency', $parameters);
    }

    public function hookActionObjectCurrencyUpdateAfter($parameters)
    {
        $this->note('Currency', $parameters);
    }

    public function hookActionObjectCurrencyDeleteAfter($parameters)
    {
        $this->note('Currency', $parameters);
    }

    public function hookActionObjectTaxAddAfter($parameters)
    {
        $this->note('Tax', $parameters);
    }

    public function hookActionObjectTaxUpdateAfter($parameters)
    {
        $this->note('Tax', $parameters);
    }

    public function hookActionObjectTaxDeleteAfter($parameters)
    {
        $this->note('Tax', $parameters);
    }

    public function hookActionObjectTaxRuleAddAfter($parameters)
    {
        $this->note('TaxRule', $parameters);
    }

    public function hookActionObjectTaxRuleUpdateAfter($parameters)
    {
        $this->note('TaxRule', $parameters);
    }

    public function hookActionObjectTaxRuleDeleteAfter($parameters)
    {
        $this->note('TaxRule', $parameters);
    }

    public function hookActionObjectLanguageAddAfter($parameters)
    {
        $this->note('Language', $parameters);
    }

    public function hookActionObjectLanguageUpdateAfter($parameters)
    {
        $this->note('Language', $parameters);
    }

    public function hookActionObjectLanguageDeleteAfter($parameters)
    {
        $this->note('Language', $parameters);
    }

    public function hookActionObjectShopUrlAddAfter($parameters)
    {
        $this->note('ShopUrl', $parameters);
    }

    public function hookActionObjectShopUrlUpdateAfter($parameters)
    {
        $this->note('ShopUrl', $parameters);
    }

    public function hookActionObjectShopUrlDeleteAfter($parameters)
    {
        $this->note('ShopUrl', $parameters);
    }
}
