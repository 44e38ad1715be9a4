<?php

/**
 * Findwell: what the test page compares: indexed with live, and who the shopper is.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Context;
use Findwell\Core\Document\PriceContext;
use Findwell\Core\Document\PriceContexts;
use Findwell\Core\Sync\Declarations;
use FrontController;
use Group;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class TestPage
{
    private const PRODUCTS = 10;

    public function __construct(
        private readonly Context $context,
        private readonly ShopSync $sync
    ) {
    }

    /**
     * @return array<string, mixed>
     */
    public function values(): array
    {
        $declared = Declarations::contexts($this->sync->settings);
        $passes = [];
        foreach ($this->sync->choices->types as $type) {
            $record = $this->sync->passes->load((string) $type);
            $passes[$type] = [
                'documents' => $record->total('sent') + $record->total('touched'),
                'finished' => $record->finished === null ? '' : date('Y-m-d H:i', $record->finished),
            ];
        }

        return [
            'version' => Boot::VERSION,
            'platform' => _PS_VERSION_,
            'languages' => $this->sync->settings->get('languages')['indexed'] ?? [],
            'passes' => $passes,
            'declared' => [
                'currencies' => $declared->currencies,
                'tiers' => $this->groupNames($declared->tiers),
                'countries' => $declared->countries,
                'cross' => $declared->cross,
            ],
            'visitor' => [
                'language' => (string) $this->context->language->iso_code,
                'currency' => (string) $this->context->currency->iso_code,
                'country' => (string) ($this->context->country->iso_code ?? ''),
                'tier' => implode($this->groupNames([Group::getCurrent()->id])),
                'groups' => $this->groupNames(FrontController::getCurrentCustomerGroups()),
            ],
            'prices' => $this->prices($declared),
            'reasons' => $this->reasons($declared),
            'base' => ['country' => strtoupper($this->sync->base()->countryCode()), 'currency' => $this->sync->base()->currencyCode()],
            'queue' => $this->sync->queue->count(),
        ];
    }

    /**
     * @param list<int|string> $ids
     *
     * @return list<string> names of customer groups in the language of the page; a group that is gone has its id
     */
    private function groupNames(array $ids): array
    {
        $groups = Group::getGroups((int) $this->context->language->id, $this->sync->shop);
        $names = array_column($groups, 'name', 'id_group');

        return array_map(static fn ($id): string => (string) ($names[(int) $id] ?? $id), array_values($ids));
    }

    /**
     * Why the prices of this visitor may differ from those of the search: what the shop uses for him and the search does not.
     *
     * @return list<string> of `country`, `currency` and `group`
     */
    private function reasons(PriceContexts $declared): array
    {
        $base = $this->sync->base();
        $visitor = (new Visitor($this->context))->prices($declared);
        $country = strtolower((string) ($this->context->country->iso_code ?? ''));
        $reasons = [
            'country' => $visitor->country === null && $country !== $base->countryCode(),
            'currency' => $visitor->currency === null && (string) $this->context->currency->iso_code !== $base->currencyCode(),
            'group' => $visitor->group === null && (int) Group::getCurrent()->id !== $base->group,
        ];

        return array_keys(array_filter($reasons));
    }

    /**
     * @return list<array{id: int, name: string, indexed: float|null, live: float|null, differs: bool}>
     */
    private function prices(PriceContexts $declared): array
    {
        $ids = $this->sync->catalog()->pageIds('products', 0, self::PRODUCTS);
        $language = (string) $this->sync->base()->languages->codeOf((int) $this->context->language->id);
        $documents = $this->sync->catalog()->documents('products', $ids, [$language])->in($language);
        $live = (array) (new LivePrices($this->context))->of($ids)['prices'];
        $visitor = (new Visitor($this->context))->prices($declared);
        $rows = [];
        foreach ($documents as $id => $document) {
            $indexed = self::indexed($document, $visitor);
            $shown = $live[$id]['price'] ?? null;
            $isSame = $indexed === null || $shown === null ? $indexed === $shown : abs($indexed - $shown) <= 0.001;
            $rows[] = ['id' => $id, 'name' => $document['name'], 'indexed' => $indexed, 'live' => $shown, 'differs' => !$isSame];
        }

        return $rows;
    }

    /**
     * The price that the service finds in a document for a visitor.
     *
     * @param array<string, mixed> $document
     */
    private static function indexed(array $document, PriceContext $visitor): ?float
    {
        $isExcl = $visitor->group !== null && (int) Group::getPriceDisplayMethod($visitor->group) === 1;
        $field = $isExcl ? 'priceExclTax' : 'priceInclTax';
        $general = new PriceContext($visitor->currency, $visitor->group);

        return $document[$field . $visitor->suffix()] ?? $document[$field . $general->suffix()] ?? null;
    }
}
