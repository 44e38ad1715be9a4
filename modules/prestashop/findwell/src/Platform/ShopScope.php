<?php

/**
 * Findwell: runs work in the context of one shop, and restores the context that was.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Context;
use Link;
use Shop;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class ShopScope
{
    /**
     * @template T
     *
     * @param callable(): T $work
     *
     * @return T
     */
    public static function run(int $shop, callable $work): mixed
    {
        $context = Context::getContext();
        $former = [Shop::getContext(), $context->shop, $context->link];
        $formerId = match ($former[0]) {
            Shop::CONTEXT_SHOP => (int) Shop::getContextShopID(),
            Shop::CONTEXT_GROUP => (int) Shop::getContextShopGroupID(),
            default => null,
        };
        try {
            Shop::setContext(Shop::CONTEXT_SHOP, $shop);
            $context->shop = new Shop($shop);
            $context->link ??= new Link();

            return $work();
        } finally {
            [, $context->shop, $context->link] = $former;
            Shop::setContext($former[0], $formerId);
        }
    }
}
