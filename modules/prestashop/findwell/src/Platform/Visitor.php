<?php

/**
 * Findwell: who searches, for the service: groups, prices, country and currency of the visitor of this request.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Context;
use Findwell\Core\Document\PriceContext;
use Findwell\Core\Document\PriceContexts;
use Findwell\Core\Sync\Declarations;
use Findwell\Core\Web\VisitorToken;
use FrontController;
use Group;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Visitor
{
    public function __construct(private readonly Context $context)
    {
    }

    /** The context of prices that the service uses for this visitor. */
    public function prices(PriceContexts $declared): PriceContext
    {
        $tier = (int) Group::getCurrent()->id;
        $country = strtolower((string) ($this->context->country->iso_code ?? ''));
        $currency = (string) $this->context->currency->iso_code;

        return new PriceContext(
            in_array($currency, $declared->currencies, true) ? $currency : null,
            in_array($tier, $declared->tiers, true) ? $tier : null,
            in_array($country, $declared->countries, true) ? $country : null
        );
    }

    /**
     * @return array<string, mixed>
     */
    public function token(): array
    {
        $sync = new ShopSync((int) $this->context->shop->id);
        $secret = $sync->connection->contextSecret();
        $base = $sync->base();
        $prices = $this->prices(Declarations::contexts($sync->settings));
        $groups = array_map('intval', FrontController::getCurrentCustomerGroups());
        $groups = $groups === [] ? [$base->group] : $groups;
        if ($secret === '' || ($groups === [$base->group] && $prices->suffix() === '')) {
            return ['visitor' => null];
        }

        return [
            'visitor' => VisitorToken::sign($secret, $groups, $prices->group, $prices->country, $prices->currency, time()),
            'expiresIn' => VisitorToken::SECONDS,
        ];
    }
}
