<?php

/**
 * Findwell: stub of the platform for tests: addresses; one of a product without code or category costs a statement, as in the platform.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

class Link
{
    /** What every address throws, if anything. */
    public static ?Throwable $failure = null;

    /** Version 8 makes its dispatcher of the request with the first address, and files that were moved meanwhile are no files. */
    private static function dispatcher(): void
    {
        if (self::$failure !== null) {
            throw self::$failure;
        }
        foreach (version_compare(_PS_VERSION_, '9.0.0') < 0 ? $_FILES : [] as $file) {
            if ($file['error'] === UPLOAD_ERR_OK && !is_file($file['tmp_name'])) {
                throw new RuntimeException("The file \"$file[tmp_name]\" does not exist");
            }
        }
    }

    public function getProductLink(
        $product,
        $alias = null,
        $category = null,
        $ean13 = null,
        $idLang = null,
        $idShop = null
    ) {
        self::dispatcher();
        if (!is_object($product)) {
            Db::getInstance()->executeS('SELECT 1 AS a_whole_product', true, false);
        }

        return "http://shop.example/$idLang/$category/$product->id-$alias.html";
    }

    public function getCategoryLink($category, $alias = null, $idLang = null, $selectedFilters = null, $idShop = null)
    {
        self::dispatcher();
        return "http://shop.example/$idLang/$category->id-$alias";
    }

    public function getCMSLink($cms, $alias = null, $ssl = null, $idLang = null, $idShop = null)
    {
        self::dispatcher();
        return "http://shop.example/$idLang/content/$cms->id-$alias";
    }

    public function getManufacturerLink($manufacturer, $alias = null, $idLang = null, $idShop = null)
    {
        self::dispatcher();
        return "http://shop.example/$idLang/brand/$manufacturer->id-$alias";
    }

    public function getImageLink($name, $ids, $type = null, string $extension = 'jpg')
    {
        return "shop.example/$ids-$type/$name.jpg";
    }

    public function getModuleLink(
        $module,
        $controller = 'default',
        array $params = [],
        $ssl = null,
        $idLang = null,
        $idShop = null
    ) {
        return "http://shop.example/module/$module/$controller" . ($params === [] ? '' : '?' . http_build_query($params));
    }

    public function getAdminLink($controller, $withToken = true, $sfRouteParams = [], $params = [])
    {
        return "http://shop.example/admin/$controller?" . http_build_query($params);
    }

    public function getPageLink($controller, $ssl = null, $idLang = null)
    {
        return "http://shop.example/$idLang/$controller";
    }
}
