<?php

/**
 * Findwell: products as the theme draws them in its own lists.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Context;
use Findwell\Core\Web\CardHtml;
use ProductAssembler;
use ProductPresenterFactory;
use Throwable;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Cards
{
    private const TEMPLATE = 'catalog/_partials/miniatures/product.tpl';

    public function __construct(private readonly Context $context)
    {
    }

    /**
     * @param list<int> $ids
     * @param list<int> $ignored
     *
     * @return array<string, mixed>
     */
    public function of(array $ids, array $ignored): array
    {
        $assembler = new ProductAssembler($this->context);
        $factory = new ProductPresenterFactory($this->context);
        [$presenter, $settings] = [$factory->getPresenter(), $factory->getPresentationSettings()];
        $cards = [];
        foreach (array_keys(ShopperProducts::visible($this->context, $ids)) as $position => $id) {
            try {
                $product = $assembler->assembleProduct(['id_product' => $id]);
                $this->context->smarty->assign([
                    'product' => $presenter->present($settings, $product, $this->context->language),
                    'position' => $position,
                ]);
                $html = CardHtml::withoutScripts((string) $this->context->smarty->fetch(self::TEMPLATE));
            } catch (Throwable $failure) {
                Log::failure($failure);
                continue;
            }
            if (trim($html) !== '') {
                $cards[] = ['id' => (string) $id, 'html' => trim($html)];
            }
        }
        $missing = array_diff(array_map('strval', $ids), array_column($cards, 'id'));

        return ['cards' => $cards, 'missing' => array_values($missing), 'ignored' => array_map('strval', $ignored)];
    }
}
