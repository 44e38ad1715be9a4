<?php

/**
 * Findwell: asks the service once a day, when the settings are opened, whether there is a newer version.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Service\ConnectionFailed;
use Findwell\Core\Service\CurlTransport;
use Findwell\Core\Service\HttpRequest;
use Findwell\Core\Service\Json;
use Findwell\Core\Web\VersionNotice;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class VersionCheck
{
    private const SECONDS = 86400;
    private const TIMEOUT = 4.0;

    /**
     * @return array<string, mixed>|null
     */
    public static function notice(ShopSync $sync, string $language): ?array
    {
        $kept = $sync->settings->get('latest') ?? ['at' => 0, 'latest' => null];
        if (time() - (int) $kept['at'] >= self::SECONDS && $sync->connection->baseAddress() !== '') {
            $kept = ['at' => time(), 'latest' => self::latest($sync->connection->baseAddress())];
            $sync->settings->set('latest', $kept);
        }

        return VersionNotice::of($kept['latest'], Boot::VERSION, _PS_VERSION_, PHP_VERSION, $language);
    }

    /**
     * @return array<string, mixed>|null
     */
    private static function latest(string $baseAddress): ?array
    {
        $url = $baseAddress . '/api/v1/downloads/prestashop/latest.json';
        try {
            $response = (new CurlTransport())->send(new HttpRequest('GET', $url, [], null, self::TIMEOUT, self::TIMEOUT));
        } catch (ConnectionFailed) {
            return null;
        }

        return $response->status === 200 ? Json::decode($response->body) : null;
    }
}
