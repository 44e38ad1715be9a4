<?php

/**
 * Findwell: which addresses of a service are accepted.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Service;

use InvalidArgumentException;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class BaseAddress
{
    /**
     * @return string scheme, host, port and path without a slash at the end
     *
     * @throws InvalidArgumentException with a sentence for the form
     */
    public static function parse(string $typed): string
    {
        $typed = rtrim(trim($typed), '/');
        $parts = parse_url($typed);
        if (!is_array($parts) || !isset($parts['host']) || preg_match('/[\s\x00-\x1f<>"]/', $typed) === 1) {
            throw new InvalidArgumentException('address: enter a full address such as https://search.example.com');
        }
        if (!in_array(strtolower($parts['scheme'] ?? ''), ['http', 'https'], true)) {
            throw new InvalidArgumentException('address: only http and https are possible');
        }
        if (isset($parts['user']) || isset($parts['pass'])) {
            throw new InvalidArgumentException('address: leave out user name and password');
        }
        if (isset($parts['query']) || isset($parts['fragment'])) {
            throw new InvalidArgumentException('address: leave out everything from ? or # on');
        }
        // An address copied from the documentation of the interface names the same service.
        return preg_replace('#/api/v1$#', '', $typed);
    }
}
