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

    /** Whether changes are sent when they happen. */
    public readonly bool $onChange;
    /** Seconds between the end of a pass and the next; 0 is at once. */
    public readonly int $interval;
    /** @var list<string> types of documents that are sent */
    public readonly array $types;
    /** Id of the feature whose number is sent; 0 for none. */
    public readonly int $feature;
    /** @var list<int> ids of currencies with prices of their own */
    public readonly array $currencies;
    /** @var list<int> ids of customer groups with prices of their own */
    public readonly array $tiers;
    /** @var list<int> ids of countries with prices of their own */
    public readonly array $countries;
    /** Whether groups, currencies and countries are combined. */
    public readonly bool $cross;
    /** Name of the type of images; empty for the platform's default. */
    public readonly string $image;
    /** Where the search box is, one of `BOXES`. */
    public readonly string $box;
    /** Whether pages ask for the prices of their visitor. */
    public readonly bool $livePrices;
    /** Whether results are drawn by the theme. */
    public readonly bool $cards;

    /**
     * @param array<string, mixed> $stored as `all` returns them; what is missing has its default, what does not fit is cut
     */
    public function __construct(array $stored)
    {
        $values = $stored + self::DEFAULTS;
        $this->onChange = (bool) $values['on_change'];
        $this->interval = min(max((int) $values['interval'], 0), Due::INTERVAL_MAX);
        $this->types = array_values(array_intersect(Types::ALL, (array) $values['types']));
        $this->feature = max((int) $values['feature'], 0);
        $this->currencies = self::ids($values['currencies']);
        $this->tiers = self::ids($values['tiers']);
        $this->countries = self::ids($values['countries']);
        $this->cross = (bool) $values['cross'];
        $this->image = is_string($values['image']) ? substr($values['image'], 0, 64) : '';
        $this->box = in_array($values['box'], self::BOXES, true) ? $values['box'] : 'field';
        $this->livePrices = (bool) $values['live_prices'];
        $this->cards = (bool) $values['cards'];
    }

    public static function ofShop(int $shop): self
    {
        return new self(Settings::of($shop)->get('choices') ?? []);
    }

    /**
     * @return array<string, mixed> by the names under which they are stored and shown
     */
    public function all(): array
    {
        return [
            'on_change' => $this->onChange,
            'interval' => $this->interval,
            'types' => $this->types,
            'feature' => $this->feature,
            'currencies' => $this->currencies,
            'tiers' => $this->tiers,
            'countries' => $this->countries,
            'cross' => $this->cross,
            'image' => $this->image,
            'box' => $this->box,
            'live_prices' => $this->livePrices,
            'cards' => $this->cards,
        ];
    }

    /**
     * @return list<int>
     */
    private static function ids(mixed $list): array
    {
        $ids = array_filter(array_map('intval', (array) $list), static fn (int $id): bool => $id > 0);

        return array_values(array_unique($ids));
    }
}
