<?php

/**
 * Findwell: tests of calls to the service.
 * 1. Key and versions are in the headers, and nothing else of the shop.
 * 2. No response, 502, 503 and 504 are repeated twice, after 1 and 4 seconds; 429 after the time that the service names; nothing else.
 * 3. A wait that does not fit the time left is not begun; a hook repeats nothing.
 * 4. Large bodies are compressed, and wrong bytes are replaced.
 * 5. 404 is remembered for a day; a list of capabilities replaces what was learnt.
 * 6. A response that is none of the service's is an error, also with status 200.
 * 7. At most 300 requests a minute.
 * 8. Only addresses over http and https without user are accepted.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use Findwell\Core\Service\BaseAddress;
use Findwell\Core\Service\Capabilities;
use Findwell\Core\Service\ClientHeader;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\HttpResponse;
use Findwell\Core\Service\RateGate;
use Findwell\Core\Service\ServiceError;
use Findwell\Tests\core\support\FakeClock;
use Findwell\Tests\core\support\FakeService;
use Findwell\Tests\core\support\Shop;
use InvalidArgumentException;
use PHPUnit\Framework\TestCase;

final class FeedClientTest extends TestCase
{
    private FakeService $service;
    private Shop $shop;

    protected function setUp(): void
    {
        $this->service = new FakeService();
        $this->shop = new Shop($this->service);
    }

    public function testHeaders(): void
    {
        $this->shop->client()->call('plan', '/feed/plan', null, Deadline::in($this->shop->clock, 10));
        $headers = $this->service->calls[0]['request']->headers;
        self::assertSame('con_x', $headers['X-API-Key']);
        self::assertSame('prestashop/1.0.0; platform=8.2.1; php=8.2.0', $headers['X-Svc-Client']);
        self::assertSame(['X-API-Key', 'X-Svc-Client', 'Accept'], array_keys($headers));
        self::assertSame('shop/1.4.0; platform=9.1.4; php=8.2.36', ClientHeader::value('shop', '1.4.0', '9.1.4', '8.2.36-1+deb12u1'));
        self::assertSame('shop/0.0.0; platform=0.0.0; php=0.0.0', ClientHeader::value('shop', 'x', '', "\n"));
    }

    /** @dataProvider retries */
    public function testRetries(int $status, array $more, array $waits): void
    {
        $this->service->reject('#plan#', $status, 'some_code', PHP_INT_MAX, $more);
        $this->expectException(ServiceError::class);
        try {
            $this->shop->client()->call('plan', '/feed/plan', null, Deadline::in($this->shop->clock, 50));
        } finally {
            self::assertEquals($waits, $this->shop->clock->slept);
            self::assertCount(count($waits) + 1, $this->service->calls);
        }
    }

    public static function retries(): array
    {
        return [
            [0, [], [1, 4]], [502, [], [1, 4]], [503, [], [1, 4]], [504, [], [1, 4]], [503, ['retryAfter' => 3], [3, 4]],
            [429, ['retryAfter' => 7], [7, 7]], [429, ['retryAfter' => 60], []], [429, [], []],
            [400, [], []], [401, [], []], [403, [], []], [404, [], []], [409, [], []], [410, [], []], [413, [], []], [500, [], []],
        ];
    }

    public function testTheTimeLeftBoundsRetries(): void
    {
        $this->service->reject('#plan#', 503, 'unavailable');
        foreach ([[true, 3.0, 2], [false, 50.0, 1]] as [$retries, $seconds, $calls]) {
            $this->service->calls = [];
            try {
                $this->shop->client($retries)->call('plan', '/feed/plan', null, Deadline::in($this->shop->clock, $seconds));
                self::fail('no error');
            } catch (ServiceError $error) {
                self::assertSame([503, 'unavailable'], [$error->status, $error->errorCode]);
            }
            self::assertCount($calls, $this->service->calls);
        }
    }

    public function testBodies(): void
    {
        $client = $this->shop->client();
        $deadline = Deadline::in($this->shop->clock, 10);
        $documents = [['id' => '1', 'name' => "a\xFF/é"], ['id' => '2', 'name' => str_repeat('x', 70000)]];
        $client->call('bulk', '/feed/products/bulk', ['language' => 'es', 'documents' => $documents], $deadline);
        $client->call('bulk', '/feed/products/bulk', ['language' => 'es', 'documents' => [$documents[0]]], $deadline);
        [$large, $small] = [$this->service->calls[0]['request'], $this->service->calls[1]['request']];
        self::assertSame('gzip', $large->headers['Content-Encoding']);
        self::assertLessThan(1000, strlen($large->body));
        self::assertArrayNotHasKey('Content-Encoding', $small->headers);
        self::assertStringContainsString("a\u{FFFD}/é", $small->body);
        self::assertSame(20.0, $small->timeout);
        self::assertSame(3.0, $small->connectTimeout);
    }

    public function testUnknownOperationsAreRemembered(): void
    {
        $this->service->reject('#touch#', 404, 'not_found');
        $client = $this->shop->client();
        self::assertTrue($client->supports('touch'));
        try {
            $client->call('touch', '/feed/touch', [], Deadline::in($this->shop->clock, 10));
            self::fail('no error');
        } catch (ServiceError $error) {
            self::assertTrue($error->isUnknownOperation());
        }
        self::assertFalse($client->supports('touch'));
        $restored = Capabilities::restore($client->learnt());
        $now = (int) $this->shop->clock->now;
        self::assertFalse($restored->supports('touch', $now + 86399));
        self::assertTrue($restored->supports('touch', $now + 86400));
        $restored->learn(['runs', 'touch']);
        self::assertTrue($restored->supports('touch', $now));
        self::assertFalse($restored->supports('clear', $now));
        self::assertTrue($restored->supports('connect', $now));
    }

    /** @dataProvider strangers */
    public function testOtherServers(string $body): void
    {
        $this->service->overrides[] = static fn (): HttpResponse => new HttpResponse(200, $body);
        $this->expectException(ServiceError::class);
        $this->expectExceptionMessage('not as the service does');
        $this->shop->client()->call('connect', '/feed/connect', null, Deadline::in($this->shop->clock, 10));
    }

    public static function strangers(): array
    {
        return [['<html>welcome</html>'], [''], ['[]'], ['{"data": 1}'], ['"x"'], [str_repeat('[', 1000)]];
    }

    public function testPace(): void
    {
        $clock = new FakeClock();
        $gate = new RateGate($clock);
        $deadline = Deadline::in($clock, 600);
        for ($i = 0; $i < 601; ++$i) {
            self::assertTrue($gate->pass($deadline));
        }
        self::assertEqualsWithDelta(120, $clock->now - 1_800_000_000, 0.001);
        self::assertFalse((function () use ($clock): bool {
            $gate = new RateGate($clock, 1);

            return $gate->pass(Deadline::in($clock, 10)) && $gate->pass(Deadline::in($clock, 10));
        })());
    }

    public function testAddresses(): void
    {
        self::assertSame('https://s.example:8443/x', BaseAddress::parse(' https://s.example:8443/x/ '));
        self::assertSame('https://s.example', BaseAddress::parse('https://s.example/api/v1'));
        foreach (
            ['', 's.example', 'ftp://s.example', 'file:///etc/passwd', 'javascript:alert(1)', 'https://u:p@s.example',
            'https://u@s.example', 'https://s.example?x=1', 'https://s.example#x', "https://s.example/\nX: y", 'https://', 'gopher://x'] as $typed
        ) {
            try {
                BaseAddress::parse($typed);
                self::fail("accepted: $typed");
            } catch (InvalidArgumentException $error) {
                self::assertStringStartsWith('address: ', $error->getMessage());
            }
        }
    }
}
