<?php

/**
 * Findwell: absolute addresses of a shop's objects, the same whoever asks for them.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Category;
use CMS;
use Configuration;
use Context;
use Manufacturer;
use Product;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Links
{
    private readonly string $scheme;
    private readonly Product $product;

    public function __construct(
        private readonly int $shop,
        private readonly string $imageType
    ) {
        $this->scheme = Configuration::get('PS_SSL_ENABLED', null, null, $shop) ? 'https' : 'http';
        // An object without id: the platform would load a whole product for each address.
        $this->product = new Product();
    }

    /**
     * @param array<string, string|null> $product row with id, code and manufacturer
     */
    public function product(array $product, string $rewrite, string $categoryRewrite, int $language): string
    {
        $this->product->id = (int) $product['id_product'];
        $this->product->link_rewrite = $rewrite;
        $this->product->ean13 = (string) $product['ean13'];
        $this->product->reference = (string) $product['reference'];
        $this->product->id_manufacturer = (int) $product['id_manufacturer'];
        $this->product->category = $categoryRewrite;

        return $this->absolute(Context::getContext()->link->getProductLink(
            $this->product,
            $rewrite,
            $categoryRewrite,
            (string) $product['ean13'],
            $language,
            $this->shop
        ));
    }

    public function image(string $rewrite, int $image): string
    {
        return $this->absolute(Context::getContext()->link->getImageLink($rewrite, (string) $image, $this->imageType));
    }

    public function category(int $id, string $rewrite, string $name, int $language): string
    {
        $category = new Category();
        $category->id = $id;
        $category->link_rewrite = $rewrite;
        $category->name = $name;

        return $this->absolute(Context::getContext()->link->getCategoryLink($category, $rewrite, $language, null, $this->shop));
    }

    public function page(int $id, string $rewrite, string $title, int $language): string
    {
        $page = new CMS();
        $page->id = $id;
        $page->link_rewrite = $rewrite;
        $page->meta_title = $title;

        return $this->absolute(Context::getContext()->link->getCMSLink($page, $rewrite, null, $language, $this->shop));
    }

    public function brand(int $id, string $rewrite, string $name, int $language): string
    {
        $brand = new Manufacturer();
        $brand->id = $id;
        $brand->name = $name;
        $brand->link_rewrite = $rewrite;

        return $this->absolute(Context::getContext()->link->getManufacturerLink($brand, $rewrite, $language, $this->shop));
    }

    /** The scheme is that of the shop, not that of the request: else every call from cron would change every document. */
    private function absolute(string $address): string
    {
        return $this->scheme . '://' . preg_replace('#^(https?:)?//#', '', $address);
    }
}
