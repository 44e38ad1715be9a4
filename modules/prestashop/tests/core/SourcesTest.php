<?php

/**
 * Findwell: rules of the module's files.
 * 1. The core names no platform.
 * 2. Every file has the header with one sentence, the guard, and strict types; the two files that an old PHP loads have none of its later syntax.
 * 3. No file but the main class has more than 250 lines.
 * 4. `exit` stands in the guard and in controllers only.
 * 5. Nothing but the file types that a shop serves or loads is in the module.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use PHPUnit\Framework\TestCase;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

final class SourcesTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../findwell/';
    private const GUARD = "if (!defined('_PS_VERSION_')) {\n    exit;\n}\n";
    /** Loaded by a PHP that is too old for the module, which then refuses to install. */
    private const OLD_SYNTAX = ['autoload.php', 'findwell.php'];

    /**
     * @return array<string, string> path => text
     */
    private static function files(string $extension): array
    {
        $files = [];
        /** @var SplFileInfo $file */
        foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(self::ROOT, RecursiveDirectoryIterator::SKIP_DOTS)) as $file) {
            if ($file->getExtension() === $extension) {
                $files[substr($file->getPathname(), strlen(self::ROOT))] = file_get_contents($file->getPathname());
            }
        }
        ksort($files);

        return $files;
    }

    public function testTheCoreNamesNoPlatform(): void
    {
        $names = '/prestashop|\b_?ps_|\b_PS_|\bpSQL\b|\b(Db|Configuration|Context|Shop|Tools|Hook|Product|Validate)::/i';
        $seen = 0;
        foreach (self::files('php') as $path => $text) {
            if (!str_starts_with($path, 'src/Core/')) {
                continue;
            }
            ++$seen;
            self::assertSame(0, preg_match($names, str_replace(self::GUARD, '', $text), $match), "$path: " . ($match[0] ?? ''));
        }
        self::assertGreaterThan(40, $seen);
    }

    public function testHeadersAndGuards(): void
    {
        foreach (self::files('php') as $path => $text) {
            if (basename($path) === 'index.php') {
                continue;
            }
            $isOld = in_array($path, self::OLD_SYNTAX, true);
            self::assertMatchesRegularExpression('#^<\?php\n\n?/\*\*\n \* Findwell: [^\n]+[.\n]#', $text, $path);
            self::assertStringContainsString(' * @license Apache-2.0', $text, $path);
            self::assertSame(1, substr_count($text, self::GUARD), "$path: guard");
            if (str_starts_with($path, 'src/')) {
                self::assertStringContainsString('declare(strict_types=1);', $text, $path);
            }
            if ($isOld) {
                $later = '/\?->|\bmatch\s*\(|\bfn\s*\(|\breadonly\b|\benum\b|#\[|\bstatic function [^(]*\([^)]*\): \??static|private \??[A-Za-z]+ \$|\?\?=/';
                self::assertSame(0, preg_match($later, $text, $match), "$path: " . ($match[0] ?? ''));
            }
        }
    }

    public function testFilesAreShort(): void
    {
        foreach (self::files('php') as $path => $text) {
            if ($path !== 'findwell.php') {
                self::assertLessThanOrEqual(250, substr_count($text, "\n"), $path);
            }
        }
    }

    public function testExit(): void
    {
        foreach (self::files('php') as $path => $text) {
            if (str_starts_with($path, 'controllers/') || basename($path) === 'index.php') {
                continue;
            }
            self::assertSame(0, preg_match('/\b(exit|die)\b\s*[;(]/', str_replace(self::GUARD, '', $text)), $path);
        }
    }

    public function testKindsOfFiles(): void
    {
        $allowed = ['php', 'tpl', 'js', 'css', 'png', 'xlf', 'xml', 'md'];
        foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(self::ROOT, RecursiveDirectoryIterator::SKIP_DOTS)) as $file) {
            self::assertContains($file->getExtension(), $allowed, $file->getPathname());
        }
    }
}
