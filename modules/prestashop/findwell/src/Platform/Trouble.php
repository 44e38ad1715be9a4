<?php

/**
 * Findwell: what an owner has to know and do something about, for the settings and for the pages of the administration.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Trouble
{
    /**
     * @return array{broken: string|null, is_page_key_rejected: bool, down: string, breaker: string, held: array<string, int>}
     *         `held` has the number of objects by type, `down` the time since when the service does not respond, `breaker` that
     *         until which changes wait because of it; empty if it does respond
     */
    public static function of(ShopSync $sync): array
    {
        $held = [];
        foreach ($sync->choices->types as $type) {
            $objects = $sync->passes->load((string) $type)->heldObjects();
            if ($objects > 0) {
                $held[(string) $type] = $objects;
            }
        }
        $connection = $sync->connection;
        $since = $connection->downSince();

        return [
            'broken' => $connection->brokenReason(),
            'is_page_key_rejected' => $connection->isPagesKeyRejected(),
            'down' => $since === null ? '' : date('Y-m-d H:i', $since),
            'breaker' => $sync->breaker()->isOpen() ? date('H:i', $sync->breaker()->openUntil()) : '',
            'held' => $held,
        ];
    }

    /**
     * Whether it is worth a notice on every page; a service that has just begun not to respond is not.
     *
     * @param array{broken: string|null, is_page_key_rejected: bool, down: string, breaker: string, held: array<string, int>} $trouble
     */
    public static function isAny(array $trouble): bool
    {
        return $trouble['broken'] !== null || $trouble['is_page_key_rejected'] || $trouble['down'] !== '' || $trouble['held'] !== [];
    }
}
