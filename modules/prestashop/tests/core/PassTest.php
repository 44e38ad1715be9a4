<?php

/**
 * Findwell: tests of passes and slices.
 * 1. A first pass sends everything in every language, and only once.
 * 2. An unchanged pass touches everything and sends nothing; what changed is sent, what is gone is purged.
 * 3. A slice ends when its time is over and the next goes on at the right id.
 * 4. A call killed between the response and the checkpoint repeats one page, and nothing is lost.
 * 5. What touch calls missing or changed is sent in the same page.
 * 6. Documents without name and rejected ones are dropped, with the reason, and have no state.
 * 7. A mismatch drops what is known of the scope, and a new pass is due.
 * 8. A run that has ended without us is opened anew; one of somebody else is left alone for two hours.
 * 9. Intervals of 0, a day and more than 30 days; a due mark starts a pass at once.
 * 10. A close that is held waits for the owner, who confirms it; otherwise it is aborted at the next due time.
 * 11. 401 breaks the connection; 429 ends the slice, and so does the pace of requests, which is no error; an error of one
 *     type does not end the others.
 * 12. Blocks have at most 500 documents and 8 MiB; 413 halves them; a missing index is created once.
 *
 * @license Apache-2.0
 * 13. A page has fewer objects the more languages they are sent in.
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\HttpResponse;
use Findwell\Core\Service\ServiceError;
use Findwell\Core\Sync\BlockSender;
use Findwell\Core\Sync\PassEngine;
use Findwell\Tests\core\support\FakeService;
use Findwell\Tests\core\support\Shop;
use PHPUnit\Framework\TestCase;
use RuntimeException;

final class PassTest extends TestCase
{
    private FakeService $service;
    private Shop $shop;

    protected function setUp(): void
    {
        $this->service = new FakeService();
        $this->shop = new Shop($this->service);
        $this->shop->catalog->fill('products', range(1, 250));
    }

    private function again(): void
    {
        $this->service->calls = [];
        $this->shop->clock->now += 90000;
    }

    public function testFirstPass(): void
    {
        $report = $this->shop->cron();
        self::assertSame('done', $report->status);
        self::assertCount(250, $this->service->documents['products']['es']);
        self::assertCount(250, $this->service->documents['products']['en']);
        self::assertSame(array_map('strval', range(1, 250)), $this->service->sentIds());
        self::assertSame([500, 0, 0], [$report->results['products']['sent'], $report->results['products']['touched'], $report->results['products']['deleted']]);
        self::assertSame('idle', $this->shop->cron()->status);
    }

    public function testSecondPass(): void
    {
        $this->shop->cron();
        $this->again();
        $report = $this->shop->cron();
        self::assertSame([], $this->service->sentIds());
        self::assertSame(500, $report->results['products']['touched']);
        $this->again();
        $this->shop->catalog->fill('products', range(10, 19), ' new');
        unset($this->shop->catalog->names['products'][250], $this->shop->catalog->names['products'][1]);
        $report = $this->shop->cron();
        self::assertSame(array_map('strval', range(10, 19)), $this->service->sentIds());
        self::assertSame(4, $report->results['products']['deleted']);
        self::assertCount(248, $this->service->documents['products']['es']);
        self::assertArrayNotHasKey(250, $this->shop->states->rows['products']['es']);
    }

    public function testObjectsOfAPage(): void
    {
        $objects = array_map(static fn (int $languages): int => PassEngine::objects(PassEngine::DOCUMENTS, $languages), [0, 1, 2, 3, 4, 8, 500]);
        self::assertSame([200, 200, 200, 133, 100, 50, 1], $objects);
    }

    public function testSlices(): void
    {
        $this->service->overrides[] = function (string $path): ?HttpResponse {
            $this->shop->clock->now += str_ends_with($path, '/bulk') ? 20 : 0;

            return null;
        };
        $first = $this->shop->cron();
        self::assertSame(['continue', 200], [$first->status, $first->results['products']['cursor']]);
        $second = $this->shop->cron();
        self::assertSame('done', $second->status);
        self::assertSame([1, 101, 201], $this->shop->catalog->pages);
        self::assertCount(1, $this->service->bodies('#^/feed/runs$#'));
    }

    public function testKilledBetweenResponseAndCheckpoint(): void
    {
        $kill = true;
        $this->service->overrides[] = function (string $path, array $body) use (&$kill): ?HttpResponse {
            if ($kill && str_ends_with($path, '/bulk') && $body['language'] === 'en' && $body['documents'][0]['id'] === '101') {
                $kill = false;
                throw new RuntimeException('killed');
            }

            return null;
        };
        try {
            $this->shop->cron();
            self::fail('was not killed');
        } catch (RuntimeException) {
        }
        $report = $this->shop->cron();
        self::assertSame('done', $report->status);
        self::assertSame([1, 101, 101, 201], $this->shop->catalog->pages);
        self::assertCount(1, $this->service->bodies('#^/feed/runs$#'));
        self::assertSame(0, $report->results['products']['deleted']);
        self::assertCount(250, $this->service->documents['products']['es']);
        self::assertFalse($this->shop->passes->load('products')->isDue);
    }

    public function testKilledWhileTheRunOpens(): void
    {
        $this->service->reject('#^/feed/runs$#', 500, 'internal', 1);
        self::assertSame('error', $this->shop->cron()->status);
        $this->shop->cron();
        [$first, $second] = $this->service->bodies('#^/feed/runs$#');
        self::assertSame($first['clientRunId'], $second['clientRunId']);
    }

    public function testServiceRestoredFromABackup(): void
    {
        $this->shop->cron();
        unset($this->service->documents['products']['es'][77]);
        $this->service->documents['products']['es'][78]['hash'] = 'sha1:old';
        $this->again();
        $report = $this->shop->cron();
        self::assertSame(['77', '78'], $this->service->sentIds());
        self::assertSame([2, 498, 0], [$report->results['products']['sent'], $report->results['products']['touched'], $report->results['products']['deleted']]);
    }

    public function testDropped(): void
    {
        $this->shop->catalog->names['products'][5]['en'] = '';
        $this->shop->catalog->names['products'][6]['es'] = 'REJECT';
        $report = $this->shop->cron();
        self::assertSame(2, $report->results['products']['dropped']);
        $record = $this->shop->passes->load('products');
        self::assertSame(['en 5: no name in this language', 'es 6: invalid_document: name: no'], [$record->problems[1], $record->problems[0]]);
        self::assertArrayNotHasKey(6, $this->shop->states->rows['products']['es']);
        self::assertSame('done', $report->status);
        self::assertCount(249, $this->service->documents['products']['en']);
    }

    public function testMismatch(): void
    {
        $this->service->overrides[] = function (string $path, array $body): ?HttpResponse {
            if (str_ends_with($path, '/close') && $body['scopes'][0]['sent'] > 0) {
                unset($this->service->run['seen']['es'][3]);
            }

            return null;
        };
        $this->shop->cron();
        self::assertSame([], $this->shop->states->rows['products']['es'] ?? []);
        self::assertCount(250, $this->shop->states->rows['products']['en']);
        self::assertTrue($this->shop->passes->load('products')->isDue);
    }

    public function testRunGone(): void
    {
        $this->service->overrides[] = function (string $path): ?HttpResponse {
            $this->shop->clock->now += str_ends_with($path, '/bulk') ? 20 : 0;

            return null;
        };
        $this->shop->cron();
        $this->service->run = null;
        self::assertSame('continue', $this->shop->cron()->status);
        $this->service->calls = [];
        do {
            $report = $this->shop->cron();
        } while ($report->status === 'continue');
        self::assertSame('done', $report->status);
        self::assertSame(range(201, 250), array_map('intval', $this->service->sentIds()));
        self::assertSame(400, $report->results['products']['touched']);
    }

    public function testRunOfSomebodyElse(): void
    {
        $this->service->run = ['id' => 'other', 'client' => 'x', 'seen' => []];
        $opened = $this->shop->clock->now;
        $this->service->overrides[] = static fn (string $path): ?HttpResponse => $path === '/feed/runs/other'
            ? new HttpResponse(200, json_encode(['data' => ['openedAt' => gmdate('Y-m-d\TH:i:s\Z', (int) $opened)]])) : null;
        self::assertSame('waiting', $this->shop->cron()->results['products']['status']);
        self::assertSame('other', $this->service->run['id']);
        $this->shop->clock->now += 7201;
        self::assertSame('done', $this->shop->cron()->status);
        self::assertCount(1, $this->service->bodies('#other/abort#'));
    }

    public function testIntervals(): void
    {
        $this->shop->interval = 0;
        $this->shop->cron();
        self::assertSame('done', $this->shop->cron()->status);
        $this->shop->interval = 86400;
        $this->shop->clock->now += 86399;
        self::assertSame('idle', $this->shop->cron()->status);
        $this->shop->clock->now += 2;
        self::assertSame('done', $this->shop->cron()->status);
        $this->shop->interval = 99999999;
        $this->shop->clock->now += 2592001;
        self::assertSame('done', $this->shop->cron()->status);
        $record = $this->shop->passes->load('products');
        $record->isDue = true;
        $this->shop->passes->save('products', $record);
        self::assertSame('done', $this->shop->cron()->status);
        self::assertSame('idle', $this->shop->cron()->status);
    }

    private function hold(): void
    {
        $this->service->overrides[] = static function (string $path, array $body): ?HttpResponse {
            if (!str_ends_with($path, '/close') || isset($body['confirmPurge'])) {
                return null;
            }
            $scopes = array_map(static fn (array $scope): array => $scope + ['status' => 'held', 'wouldPurge' => 99], $body['scopes']);

            return new HttpResponse(200, json_encode(['data' => ['scopes' => $scopes]]));
        };
    }

    public function testHeldIsConfirmed(): void
    {
        $this->hold();
        $report = $this->shop->cron();
        self::assertSame(['es' => 99, 'en' => 99], $report->results['products']['held']);
        $record = $this->shop->passes->load('products');
        $closer = new \Findwell\Core\Sync\RunCloser($this->shop->client(), $this->shop->states, $this->shop->passes, $this->shop->clock);
        $closer->confirm('products', $record, Deadline::in($this->shop->clock, 10));
        $bodies = $this->service->bodies('#/close$#');
        self::assertSame([$bodies[0]['scopes'], true], [$bodies[1]['scopes'], $bodies[1]['confirmPurge']]);
        self::assertSame([], $this->shop->passes->load('products')->held);
        self::assertNull($this->service->run);
    }

    public function testHeldIsAbortedAtTheNextDueTime(): void
    {
        $this->hold();
        $this->shop->cron();
        self::assertSame('idle', $this->shop->cron()->status);
        $this->again();
        self::assertSame('done', $this->shop->cron()->status);
        self::assertCount(1, $this->service->bodies('#/abort$#'));
        self::assertCount(1, $this->service->bodies('#^/feed/runs$#'));
    }

    public function testRejectedKey(): void
    {
        $this->service->reject('#bulk#', 401, 'key_invalid');
        $report = $this->shop->cron();
        self::assertSame(['error', 'refused: key_invalid'], [$report->status, $report->message]);
        self::assertSame('refused: key_invalid', $this->shop->memory->get('broken'));
    }

    public function testTooManyRequests(): void
    {
        $this->service->reject('#bulk#', 429, 'rate_limited', 1, ['retryAfter' => 60]);
        $report = $this->shop->cron();
        self::assertSame(['continue', 200], [$report->status, $report->httpStatus]);
        self::assertSame('done', $this->shop->cron()->status);
    }

    public function testAsManyRequestsAsMayBeSent(): void
    {
        $this->shop->catalog->fill('products', range(1, 2000));
        $this->shop->requestsPerMinute = 12;
        for ($calls = 1; ($report = $this->shop->cron())->status === 'continue'; ++$calls) {
            self::assertSame([200, null, []], [$report->httpStatus, $report->message, $report->results['products']['errors']]);
            self::assertGreaterThan(0, $report->results['products']['cursor']);
        }
        self::assertSame('done', $report->status);
        self::assertGreaterThan(1, $calls);
    }

    public function testServiceUnreachable(): void
    {
        $this->service->reject('#.#', 0, '');
        self::assertSame(503, $this->shop->cron()->httpStatus);
    }

    public function testErrorOfOneType(): void
    {
        $this->shop->types = ['products', 'categories'];
        $this->shop->catalog->fill('categories', [3, 4]);
        $this->service->reject('#products/bulk#', 400, 'invalid_request');
        $report = $this->shop->cron();
        self::assertSame(['error', 'done'], [$report->results['products']['status'], $report->results['categories']['status']]);
        self::assertSame('error', $report->status);
    }

    public function testPlanLimit(): void
    {
        $this->shop->cron();
        $this->again();
        $this->shop->catalog->fill('products', [5], ' new');
        $this->shop->catalog->fill('products', range(251, 400));
        unset($this->shop->catalog->names['products'][6]);
        $this->service->overrides[] = static fn (string $path, array $body): ?HttpResponse =>
            str_ends_with($path, '/bulk') && (int) $body['documents'][0]['id'] > 250 ? FakeService::error(403, 'plan_limit') : null;
        $this->shop->cron();
        self::assertContains('5', $this->service->sentIds());
        self::assertNotContains('300', array_slice($this->service->sentIds(), 101));
        self::assertSame([], $this->service->bodies('#/close$#')[0]['scopes']);
        self::assertArrayHasKey(6, $this->service->documents['products']['es']);
    }

    public function testBlocks(): void
    {
        $sizes = static fn (FakeService $service): array =>
            array_map(static fn (array $body): int => count($body['documents']), $service->bodies('#bulk#'));
        $blocks = new BlockSender($this->shop->client(), static function (): void {
        });
        $document = static fn (int $id, int $bytes = 1): array => ['id' => (string) $id, 'name' => str_repeat('x', $bytes)];
        foreach ([[499, [499]], [500, [500]], [501, [500, 1]]] as [$number, $expected]) {
            $this->service->calls = [];
            $documents = array_combine(range(1, $number), array_map($document, range(1, $number)));
            $result = $blocks->send('products', 'es', $documents, null, Deadline::in($this->shop->clock, 50));
            self::assertSame($expected, $sizes($this->service));
            self::assertCount($number, $result->accepted);
        }
        $this->service->calls = [];
        $large = [1 => $document(1, 5000000), 2 => $document(2, 3000000), 3 => $document(3, 5000000)];
        $blocks->send('products', 'es', $large, null, Deadline::in($this->shop->clock, 50));
        self::assertSame([2, 1], $sizes($this->service));
        $this->service->calls = [];
        $this->service->overrides[] = static fn (string $path, array $body): ?HttpResponse =>
            count($body['documents']) > 2 ? FakeService::error(413, 'payload_too_large') : null;
        $result = $blocks->send('products', 'es', array_combine(range(1, 5), array_map($document, range(1, 5))), null, Deadline::in($this->shop->clock, 50));
        self::assertSame([5, 3, 2, 1, 2], $sizes($this->service));
        self::assertCount(5, $result->accepted);
    }

    public function testMissingIndexIsCreatedOnce(): void
    {
        $this->service->reject('#bulk#', 409, 'index_missing', 1);
        self::assertSame('done', $this->shop->cron()->status);
        self::assertCount(2, $this->service->bodies('#indices#'));
        $this->service->reject('#bulk#', 409, 'index_missing');
        $this->shop->catalog->fill('products', [1], ' x');
        $this->again();
        $report = $this->shop->cron();
        self::assertSame('error', $report->status);
        self::assertCount(2, $this->service->bodies('#indices#'));
    }

    public function testTheLockIsLost(): void
    {
        $pages = 0;
        $this->shop->mayGoOn = static function () use (&$pages): bool {
            return ++$pages < 4;
        };
        $report = $this->shop->cron();
        self::assertSame(['continue', 200], [$report->status, $report->results['products']['cursor']]);
    }
}
