<?php

/**
 * Findwell: tells the service who searches: groups, prices, country and currency, signed, and nothing else of a person.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Web;

use Findwell\Core\Service\Json;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class VisitorToken
{
    /** Less than the hour that the service allows, because the clock of a shop may be ahead. */
    public const SECONDS = 3300;

    /**
     * @param list<int> $groups
     */
    public static function sign(
        string $secret,
        array $groups,
        ?int $tier,
        ?string $country,
        ?string $currency,
        int $now
    ): string {
        $claims = ['groups' => array_map('strval', $groups), 'exp' => $now + self::SECONDS];
        $optional = ['tier' => $tier === null ? null : (string) $tier, 'country' => $country, 'currency' => $currency];
        $claims += array_filter($optional, static fn (?string $claim): bool => $claim !== null);
        $signed = self::part(['alg' => 'HS256', 'typ' => 'JWT']) . '.' . self::part($claims);

        return $signed . '.' . self::base64url(hash_hmac('sha256', $signed, $secret, true));
    }

    /**
     * @param array<string, mixed> $value
     */
    private static function part(array $value): string
    {
        return self::base64url(Json::encode($value));
    }

    private static function base64url(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
