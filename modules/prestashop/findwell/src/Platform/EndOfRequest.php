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
use Findwell\Core\Sync\QueueItem;
use Module;
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
            // Files that were copied over older ones may have met tables of the older version.
            Boot::upgrade(Module::getInstanceByName(Boot::NAME));
            $deadline = null;
            foreach (Settings::connectedShops() as $shop) {
                // What one shop throws is nothing to the others.
                try {
                    $this->shop($shop, $noted, $canHandOver, $deadline);
                } catch (Throwable $failure) {
                    Log::failure($failure);
                }
            }
        } catch (Throwable $failure) {
            Log::failure($failure);
        }
    }

    /**
     * @param Deadline|null $deadline of all shops together, which begins with the first
     */
    private function shop(int $shop, Noted $noted, bool $canHandOver, ?Deadline &$deadline): void
    {
        $sync = new ShopSync($shop);
        if ($sync->connection->brokenReason() !== null || !Boot::isActive($shop) || $sync->connection->isCopy($sync->address())) {
            return;
        }
        $queued = self::keep($sync, $noted);
        $plan = SendPlan::of(self::kind($sync, $canHandOver), $noted);
        // Somebody may be waiting, so nothing more than what keeps the change.
        if ($queued === [] || $plan->objects === 0) {
            return;
        }
        $deadline ??= $sync->deadline($plan->seconds);
        self::withoutFiles(function () use ($sync, $plan, $queued, $deadline): void {
            // What the request read before it wrote is no longer true.
            $sync->catalog()->flushCaches();
            $client = $sync->client($plan->seconds, $plan->connectSeconds);
            $sendAtOnce = new SendAtOnce($sync->sender($client), $sync->queue, $sync->breaker(), $sync->connection);
            $sendAtOnce->run($plan, $queued, $deadline);
        });
    }

    /**
     * Stores what changed before anything is read or sent, so that nothing that goes wrong after it loses a change.
     *
     * @return array<string, list<QueueItem>> by type
     */
    private static function keep(ShopSync $sync, Noted $noted): array
    {
        Boot::makeDue($sync->shop, $noted->dueTypes());
        if ($noted->hasDeclarations()) {
            $sync->settings->set('declarations_due', true);
        }
        $queued = [];
        foreach (array_intersect_key($noted->objects(), array_flip($sync->choices->types)) as $type => $ids) {
            try {
                $queued[$type] = $sync->queue->add($type, $ids);
            } catch (Throwable $failure) {
                Log::failure($failure);
                Boot::makeDue($sync->shop, [$type]);
            }
        }

        return $queued;
    }

    private static function kind(ShopSync $sync, bool $canHandOver): RequestKind
    {
        return new RequestKind(
            $canHandOver,
            PHP_SAPI !== 'cli' && !defined('_PS_ADMIN_DIR_'),
            defined('PS_MASS_PRODUCT_CREATION'),
            !$sync->choices->onChange,
            $sync->breaker()->isOpen(),
            self::hasForeignTax()
        );
    }

    /** Addresses come from the platform's dispatcher, which reads the files of the request, and those have been moved by now. */
    private static function withoutFiles(callable $work): void
    {
        [$files, $_FILES] = [$_FILES, []];
        try {
            $work();
        } finally {
            $_FILES = $files;
        }
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
