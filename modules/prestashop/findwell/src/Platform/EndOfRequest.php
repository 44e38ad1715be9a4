<?php

/**
 * Findwell: sends what a request changed, after its response was handed over where that is possible.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Configuration;
use Context;
use Findwell\Core\Hooks\Noted;
use Findwell\Core\Hooks\RequestKind;
use Findwell\Core\Hooks\SendAtOnce;
use Findwell\Core\Hooks\SendPlan;
use Findwell\Core\Service\Deadline;
use Throwable;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class EndOfRequest
{
    public function run(Changes $changes): void
    {
        try {
            $canHandOver = self::handOver();
            $noted = $changes->resolved();
            if ($noted->isEmpty()) {
                return;
            }
            $isShopper = PHP_SAPI !== 'cli' && !defined('_PS_ADMIN_DIR_');
            $deadline = null;
            foreach (Settings::connectedShops() as $shop) {
                $sync = new ShopSync($shop);
                if ($sync->connection->brokenReason() !== null || !Boot::isActive($shop) || $sync->connection->isCopy($sync->address())) {
                    continue;
                }
                $kind = new RequestKind(
                    $canHandOver,
                    $isShopper,
                    defined('PS_MASS_PRODUCT_CREATION'),
                    !$sync->choices->onChange,
                    $sync->breaker()->isOpen(),
                    self::hasForeignTax()
                );
                $plan = SendPlan::of($kind, $noted);
                $deadline ??= $sync->deadline($plan->seconds);
                $this->shop($sync, $noted, $plan, $deadline);
            }
        } catch (Throwable $failure) {
            Log::failure($failure);
        }
    }

    private function shop(ShopSync $sync, Noted $noted, SendPlan $plan, Deadline $deadline): void
    {
        Boot::makeDue($sync->shop, $noted->dueTypes());
        if ($noted->hasDeclarations()) {
            $sync->settings->set('declarations_due', true);
        }
        $objects = array_intersect_key($noted->objects(), array_flip($sync->choices->types));
        if ($objects === []) {
            return;
        }
        if ($plan->objects === 0) {
            // Somebody may be waiting, so this is one statement for each type and no more.
            foreach ($objects as $type => $ids) {
                $sync->queue->add($type, $ids);
            }

            return;
        }
        // What the request read before it wrote is no longer true.
        $sync->catalog()->flushCaches();
        $client = $sync->client($plan->seconds, $plan->connectSeconds);
        $sendAtOnce = new SendAtOnce($sync->sender($client), $sync->queue, $sync->breaker(), $sync->connection);
        $sendAtOnce->run($plan, $objects, $deadline);
    }

    /** Ends the response, so that nobody waits for what follows. */
    private static function handOver(): bool
    {
        ignore_user_abort(true);
        if (session_status() === PHP_SESSION_ACTIVE) {
            session_write_close();
        }
        foreach (['fastcgi_finish_request', 'litespeed_finish_request'] as $finish) {
            if (function_exists($finish)) {
                return (bool) $finish();
            }
        }

        return false;
    }

    /** The platform keeps the tax of the first address that it sees, which may be one without tax. */
    private static function hasForeignTax(): bool
    {
        $cart = Context::getContext()->cart ?? null;
        $address = (int) ($cart->{(string) Configuration::get('PS_TAX_ADDRESS_TYPE')} ?? 0);

        return $address > 0
            && (string) Sql::value("SELECT `vat_number` FROM `{prefix}address` WHERE `id_address` = $address") !== '';
    }
}
