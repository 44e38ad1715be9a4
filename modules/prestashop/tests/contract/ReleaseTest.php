<?php

/**
 * Findwell: tests of what the real service serves to shops, read as the module reads it.
 * 1. The widget's line names a loader that the service serves.
 * 2. The release that `cargo xtask module` wrote is described, and its archive has the sum that the description says.
 * 3. The installed version is worth no notice; a later release is, with its address, unless the platform or PHP is too old.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\contract;

use Findwell\Core\Service\CurlTransport;
use Findwell\Core\Service\HttpRequest;
use Findwell\Core\Service\HttpResponse;
use Findwell\Core\Service\Json;
use Findwell\Core\Web\VersionNotice;
use Findwell\Core\Web\WidgetLine;
use Findwell\Tests\contract\support\Service;
use PHPUnit\Framework\TestCase;

final class ReleaseTest extends TestCase
{
    private const LATER = '999.0.0';

    private static function releases(): string
    {
        return dirname(__DIR__, 4) . '/target/releases/prestashop';
    }

    private static function get(string $address): HttpResponse
    {
        return (new CurlTransport())->send(new HttpRequest('GET', $address, [], null, 4.0, 4.0));
    }

    public function testLoaderOfTheLine(): void
    {
        $service = new Service();
        try {
            preg_match('/data-loader="([^"]+)"/', WidgetLine::html('/x.js', $service->address, 'pub_x', []), $match);
            $response = self::get($match[1]);
            self::assertSame(200, $response->status);
            self::assertStringContainsString('findwell', $response->body);
        } finally {
            $service->end();
        }
    }

    public function testReleases(): void
    {
        $archives = glob(self::releases() . '/*.zip') ?: [];
        if ($archives === []) {
            self::markTestSkipped('SKIPPED: no release; cargo xtask module writes it');
        }
        $folder = sys_get_temp_dir() . '/findwell-releases-' . getmypid();
        mkdir($folder . '/prestashop', 0700, true);
        $version = preg_replace('/^prestashop-|\.zip$/', '', basename($archives[0]));
        foreach (['zip', 'json'] as $extension) {
            copy(self::releases() . "/prestashop-$version.$extension", "$folder/prestashop/prestashop-$version.$extension");
        }
        try {
            $latest = $this->latest($folder);
            self::assertSame($version, $latest['version']);
            self::assertNull(VersionNotice::of($latest, $version, '9.1.4', '8.2.0', 'en'), 'the installed version');
            copy($archives[0], "$folder/prestashop/prestashop-" . self::LATER . '.zip');
            $later = ['version' => self::LATER] + Json::decode((string) file_get_contents("$folder/prestashop/prestashop-$version.json"));
            file_put_contents("$folder/prestashop/prestashop-" . self::LATER . '.json', json_encode($later));
            $latest = $this->latest($folder);
            $notice = VersionNotice::of($latest, $version, '9.1.4', '8.2.0', 'es');
            self::assertSame([self::LATER, $later['notes']['es']], [$notice['version'], $notice['notes']]);
            self::assertStringEndsWith('/prestashop-' . self::LATER . '.zip', $notice['url']);
            self::assertNull(VersionNotice::of($latest, $version, '1.7.8', '8.2.0', 'es'));
            self::assertNull(VersionNotice::of($latest, $version, '9.1.4', '7.4.0', 'es'));
        } finally {
            exec('rm -r ' . escapeshellarg($folder));
        }
    }

    /**
     * What a service that was started with these releases says, after its archive was fetched and compared.
     *
     * @return array<string, mixed>
     */
    private function latest(string $folder): array
    {
        $service = new Service(['--releases', $folder]);
        try {
            $response = self::get($service->direct . '/api/v1/downloads/prestashop/latest.json');
            self::assertSame(200, $response->status, $response->body);
            $latest = Json::decode($response->body);
            $archive = self::get($latest['url']);
            self::assertSame([200, $latest['sha256']], [$archive->status, hash('sha256', $archive->body)]);
            self::assertSame("PK\x03\x04", substr($archive->body, 0, 4));

            return $latest;
        } finally {
            $service->end();
        }
    }
}
