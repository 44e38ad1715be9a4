<?php

/**
 * Findwell: what the owner chose for a shop, with its defaults.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Sync\Due;
use Findwell\Core\Sync\Types;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Choices
{
    public const BOXES = ['field', 'displayTop', 'displayNavFullWidth', 'none'];

    private const DEFAULTS = [
        'on_change' => true,
        'interval' => 86400,
        'types' => Types::ALL,
        'feature' => 0,
        'currencies' => [],
        'tiers' => [],
        'countries' => [],
        'cross' => false,
        'image' => '',
        'box' => 'field',
        'live_prices' => true,
        'cards' => true,
    ];

    /** @var array<string, mixed> */
    private array $values;

    /**
     * @param array<string, mixed> $stored
     */
    public function __construct(array $stored)
    {
        $values = array_intersect_key($stored, self::DEFAULTS) + self::DEFAULTS;
        $ids = static fn (mixed $list): array =>
            array_values(array_unique(array_filter(array_map('intval', (array) $list), static fn (int $id): bool => $id > 0)));
        $values['types'] = array_values(array_intersect(Types::ALL, (array) $values['types']));
        foreach (['currencies', 'tiers', 'countries'] as $name) {
            $values[$name] = $ids($values[$name]);
        }
        foreach (['on_change', 'cross', 'live_prices', 'cards'] as $name) {
            $values[$name] = (bool) $values[$name];
        }
        $values['interval'] = min(max((int) $values['interval'], 0), Due::INTERVAL_MAX);
        $values['feature'] = max((int) $values['feature'], 0);
        $values['image'] = is_string($values['image']) ? substr($values['image'], 0, 64) : '';
        $values['box'] = in_array($values['box'], self::BOXES, true) ? $values['box'] : 'field';
        $this->values = $values;
    }

    public static function ofShop(int $shop): self
    {
        return new self(Settings::of($shop)->get('choices') ?? []);
    }

    /**
     * @return array<string, mixed>
     */
    public function all(): array
    {
        return $this->values;
    }

    public function flag(string $name): bool
    {
        return (bool) $this->values[$name];
    }

    public function number(string $name): int
    {
        return (int) $this->values[$name];
    }

    public function text(string $name): string
    {
        return (string) $this->values[$name];
    }

    /**
     * @return list<int|string>
     */
    public function list(string $name): array
    {
        return $this->values[$name];
    }
}
