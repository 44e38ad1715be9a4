<?php

/**
 * Findwell: one complete walk over the objects of a type: where it stands and what it counted.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PassRecord
{
    public const PROBLEMS_MAX = 20;

    /** Id of the pass, which is also the shop's id of the run. */
    public string $pass = '';
    /** Id of the run; null if the service has none. */
    public ?string $runId = null;
    public string $mode = 'incremental';
    public int $cursor = 0;
    /** @var list<string> */
    public array $languages = [];
    /** @var array<string, array{sent: int, touched: int, dropped: int}> */
    public array $counters = [];
    public int $deleted = 0;
    /** @var list<string> the last documents that were dropped, with the reason */
    public array $problems = [];
    /** @var array<string, bool> languages over the limit of the plan: no new documents, no close */
    public array $limited = [];
    /** @var array<string, int> language => documents that the held close would delete */
    public array $held = [];
    public ?string $heldRun = null;
    /** @var list<array<string, mixed>> scopes of the close that is held */
    public array $heldScopes = [];
    public ?int $started = null;
    public ?int $finished = null;
    public bool $isOpen = false;
    public bool $isDue = false;

    /**
     * @param array<string, mixed> $values
     */
    public static function restore(array $values): self
    {
        $record = new self();
        foreach (get_object_vars($record) as $name => $default) {
            if (array_key_exists($name, $values)) {
                $record->{$name} = $values[$name];
            }
        }

        return $record;
    }

    /**
     * @return array<string, mixed>
     */
    public function store(): array
    {
        return get_object_vars($this);
    }

    /**
     * Starts a new pass; what is known of a held run stays until it is aborted.
     *
     * @param list<string> $languages
     */
    public function start(string $pass, string $mode, array $languages, int $now): void
    {
        $this->pass = $pass;
        $this->runId = null;
        $this->mode = $mode;
        $this->cursor = 0;
        $this->languages = $languages;
        $this->counters = array_fill_keys($languages, ['sent' => 0, 'touched' => 0, 'dropped' => 0]);
        $this->deleted = 0;
        $this->problems = [];
        $this->limited = [];
        $this->started = $now;
        $this->isOpen = true;
        $this->isDue = false;
    }

    public function finish(int $now): void
    {
        $this->isOpen = false;
        $this->finished = $now;
    }

    public function count(string $language, string $counter, int $number): void
    {
        $this->counters[$language][$counter] += $number;
    }

    public function problem(string $text): void
    {
        $this->problems[] = mb_substr($text, 0, 300);
        $this->problems = array_slice($this->problems, -self::PROBLEMS_MAX);
    }

    /**
     * How many objects the held close would remove: an object has a document in each language.
     */
    public function heldObjects(): int
    {
        return $this->held === [] ? 0 : max($this->held);
    }

    public function total(string $counter): int
    {
        return array_sum(array_column($this->counters, $counter));
    }
}
