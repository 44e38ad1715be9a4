<?php

/**
 * Findwell: what the request is in which something changed.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Hooks;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class RequestKind
{
    /**
     * @param bool $canHandOver the response can be handed to the client before work goes on
     * @param bool $isShopper a page of the shop, as opposed to its administration
     * @param bool $hasForeignTax the cart of the request has an address with a tax number
     */
    public function __construct(
        public readonly bool $canHandOver,
        public readonly bool $isShopper = false,
        public readonly bool $isImport = false,
        public readonly bool $isSwitchedOff = false,
        public readonly bool $isBreakerOpen = false,
        public readonly bool $hasForeignTax = false
    ) {
    }
}
