<?php

/**
 * Findwell: one cron call: declarations, the queue, then the passes that are open or due, within the time.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

use Findwell\Core\Service\Clock;
use Findwell\Core\Service\Deadline;
use Findwell\Core\Service\FeedClient;
use Findwell\Core\Service\ServiceError;
use Findwell\Core\Web\CronRequest;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Slice
{
    public const SECONDS = 50.0;
    private const QUEUE_SECONDS = 20.0;

    /**
     * @param callable(): ShopFacts $facts
     * @param list<string> $types that are sent
     * @param callable(): bool $mayGoOn
     */
    public function __construct(
        private readonly FeedClient $client,
        private readonly Memory $memory,
        private readonly StateStore $states,
        private readonly PassStore $passes,
        private readonly QueueStore $queue,
        private readonly PassEngine $engine,
        private readonly RunOpener $opener,
        private readonly QueueDrain $drain,
        private readonly Connecting $connecting,
        private readonly Clock $clock,
        private $facts,
        private readonly array $types,
        private readonly int $interval,
        private $mayGoOn
    ) {
    }

    public function run(CronRequest $request, Deadline $deadline): Report
    {
        $report = new Report();
        $types = array_values(array_intersect($request->types, $this->types));
        if ($request->isReset) {
            return $this->reset($types, $report);
        }
        try {
            $this->drain->run($deadline->within(self::QUEUE_SECONDS), $this->mayGoOn);
            $open = $this->open($request, $types, $deadline, $report);
            $this->passes($open, $deadline, $report);
            $report->conclude();
        } catch (ServiceError $error) {
            $this->failed($error, $report);
        }
        $report->queue = [
            'done' => $this->drain->done,
            'failed' => $this->drain->failed,
            'left' => $this->queue->count(),
        ];
        if ($this->client->learnt() !== $this->memory->get('capabilities')) {
            $this->memory->set('capabilities', $this->client->learnt());
        }
        $this->warnOfHeld($report);
        array_push($report->warnings, ...$this->drain->problems, ...($this->memory->get('declared')['notes'] ?? []));

        return $report;
    }

    /** A removal that is held waits for somebody, who is told with every call. */
    private function warnOfHeld(Report $report): void
    {
        foreach ($this->types as $type) {
            $held = $this->passes->load($type)->heldObjects();
            if ($held > 0) {
                $report->warnings[] = "the removal of $held $type is held: confirm it in the settings of the module, or wait for the next pass";
            }
        }
    }

    /**
     * Starts the passes that are due.
     *
     * @param list<string> $types
     *
     * @return list<string> types with an open pass
     */
    private function open(CronRequest $request, array $types, Deadline $deadline, Report $report): array
    {
        $records = [];
        foreach ($types as $type) {
            $records[$type] = $this->passes->load($type);
        }
        $due = $request->mode === 'incremental' ? $this->due($records, $report) : self::wanted($records, $request->mode);
        if ($due !== [] || $this->memory->get('declarations_due') === true) {
            $this->prepare($deadline);
        }
        $languages = $this->memory->get('languages')['indexed'] ?? [];
        foreach ($due as $type) {
            $this->opener->start($type, $records[$type], $request->mode, $languages);
        }
        $isChosen = static fn (PassRecord $record): bool =>
            $record->isOpen && ($request->mode === 'incremental' || $record->mode === $request->mode);

        return array_keys(array_filter($records, $isChosen));
    }

    /**
     * @param array<string, PassRecord> $records
     *
     * @return list<string>
     */
    private function due(array $records, Report $report): array
    {
        $now = (int) $this->clock->now();
        $due = [];
        foreach ($records as $type => $record) {
            if ($record->isOpen) {
                continue;
            }
            if (Due::isDue($record, $this->interval, $now)) {
                $due[] = $type;
            } else {
                $report->addIdle($type, Due::next($record, $this->interval));
            }
        }

        return $due;
    }

    /**
     * A rebuild is continued while any of its types is open, and only then started anew.
     *
     * @param array<string, PassRecord> $records
     *
     * @return list<string>
     */
    private static function wanted(array $records, string $mode): array
    {
        foreach ($records as $record) {
            if ($record->isOpen && $record->mode === $mode) {
                return [];
            }
        }

        return array_keys($records);
    }

    /** Repeats what was said when the connection was made: languages, plan and groups of the shop may have changed. */
    private function prepare(Deadline $deadline): void
    {
        $facts = ($this->facts)();
        $steps = [
            'indices' => fn () => $this->connecting->indices($facts, $deadline),
            'plan' => fn () => $this->connecting->plan($deadline),
        ];
        foreach ($steps as $name => $step) {
            try {
                if ($this->client->supports($name)) {
                    $step();
                }
            } catch (ServiceError $error) {
                if (!$error->isUnknownOperation() && !$error->isPlanLimit()) {
                    throw $error;
                }
            }
        }
        $declarations = new Declarations($this->client, $this->memory, $this->clock);
        $declarations->refresh($facts, $this->memory->get('plan'), $deadline);
        $this->memory->set('declarations_due', null);
    }

    /**
     * @param list<string> $types
     */
    private function passes(array $types, Deadline $deadline, Report $report): void
    {
        foreach ($types as $type) {
            $record = $this->passes->load($type);
            try {
                $status = $this->engine->run($type, $record, $deadline);
                $report->add($type, $record, $status);
            } catch (ServiceError $error) {
                $isLater = $error->status === 429;
                $report->add($type, $record, $isLater ? 'continue' : 'error', $error->isPaced() ? null : $error->getMessage());
                if ($isLater || $error->isTransient() || $error->endsConnection() || $error->errorCode === 'store_suspended') {
                    $this->failed($error, $report);

                    return;
                }
            }
        }
    }

    private function failed(ServiceError $error, Report $report): void
    {
        if ($error->endsConnection()) {
            $this->memory->set('broken', $error->getMessage());
        }
        $report->message = $error->isPaced() ? null : $error->getMessage();
        $report->status = $error->status === 429 ? 'continue' : 'error';
        $didNothing = $report->results === [] && $this->drain->done === 0;
        $report->httpStatus = $error->isTransient() && $error->status !== 429 && $didNothing ? 503 : 200;
    }

    /**
     * @param list<string> $types
     */
    private function reset(array $types, Report $report): Report
    {
        foreach ($types as $type) {
            $record = $this->passes->load($type);
            $fresh = new PassRecord();
            $fresh->heldRun = $record->isOpen ? $record->runId : $record->heldRun;
            $this->states->drop($type);
            $this->passes->save($type, $fresh);
            $report->add($type, $fresh, 'done');
        }
        $report->queue['left'] = $this->queue->count();

        return $report;
    }
}
