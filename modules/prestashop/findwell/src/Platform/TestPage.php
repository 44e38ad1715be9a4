<?php

/**
 * Findwell: what the test page compares: indexed with live, and who the shopper is.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Context;
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
                'tiers' => $declared->tiers,
                'countries' => $declared->countries,
                'cross' => $declared->cross,
            ],
            'visitor' => [
                'language' => (string) $this->context->language->iso_code,
                'currency' => (string) $this->context->currency->iso_code,
                'country' => (string) ($this->context->country->iso_code ?? ''),
                'tier' => (int) Group::getCurrent()->id,
                'groups' => FrontController::getCurrentCustomerGroups(),
            ],
            'prices' => $this->prices(),
        ];
    }

    /**
     * @return list<array{id: int, name: string, indexed: float|null, live: float|null, differs: bool}>
     */
    private function prices(): array
    {
        $ids = $this->sync->catalog()->pageIds('products', 0, self::PRODUCTS);
        $language = (string) $this->sync->base()->languages->codeOf((int) $this->context->language->id);
        $documents = $this->sync->catalog()->documents('products', $ids, [$language])->in($language);
        $live = (array) (new LivePrices($this->context))->of($ids)['prices'];
        $rows = [];
        foreach ($documents as $id => $document) {
            $indexed = $document['priceInclTax'] ?? null;
            $shown = $live[$id]['price'] ?? null;
            $rows[] = [
                'id' => $id,
                'name' => $document['name'],
                'indexed' => $indexed,
                'live' => $shown,
                'differs' => $indexed !== null && $shown !== null && abs($indexed - $shown) > 0.001,
            ];
        }

        return $rows;
    }
}
