<?php

/**
 * Findwell: whether a newer version of the module is worth a notice.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Web;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class VersionNotice
{
    /**
     * @param array<string, mixed>|null $latest what the service says; null if it says nothing
     *
     * @return array{version: string, url: string, notes: string, hasUpgradeScript: bool, reindexAdvised: bool}|null
     */
    public static function of(?array $latest, string $installed, string $platform, string $php, string $language): ?array
    {
        $version = $latest['version'] ?? null;
        if (!self::isVersion($version) || !self::isVersion($installed) || version_compare($version, $installed) <= 0) {
            return null;
        }
        $min = $latest['minPlatform'] ?? '0.0.0';
        $max = $latest['maxPlatform'] ?? '999.999.999';
        $minPhp = $latest['minPhp'] ?? '0';
        if (!is_string($min) || !is_string($max) || !is_string($minPhp)) {
            return null;
        }
        if (version_compare($platform, $min) < 0 || version_compare($platform, $max) > 0 || version_compare($php, $minPhp) < 0) {
            return null;
        }
        $url = $latest['url'] ?? '';
        $notes = $latest['notes'][$language] ?? $latest['notes']['en'] ?? '';

        return [
            'version' => $version,
            'url' => is_string($url) && preg_match('#^https?://[^\s"<>]+$#i', $url) === 1 ? $url : '',
            'notes' => is_string($notes) ? $notes : '',
            'hasUpgradeScript' => ($latest['hasUpgradeScript'] ?? false) === true,
            'reindexAdvised' => ($latest['reindexAdvised'] ?? false) === true,
        ];
    }

    private static function isVersion(mixed $version): bool
    {
        return is_string($version) && preg_match('/^\d{1,6}\.\d{1,6}\.\d{1,6}$/D', $version) === 1;
    }
}
