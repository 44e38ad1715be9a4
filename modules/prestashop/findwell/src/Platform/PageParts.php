<?php

/**
 * Findwell: what the module adds to a page of the store: the widget's line, the box, the place of the results.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Context;
use Findwell\Core\Web\WidgetLine;
use FrontController;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PageParts
{
    /** Search fields of the themes that the platform ships, and that of the test page. */
    private const FIELD = '[data-search-controller-url] [name=s], [data-findwell-input]';

    /** @var array<string, mixed>|null */
    private readonly ?array $page;

    public function __construct(private readonly Context $context)
    {
        $this->page = PageSettings::load((int) $context->shop->id);
    }

    public function isOn(): bool
    {
        return $this->page !== null;
    }

    public function hasBox(string $hook): bool
    {
        return $this->page !== null && $this->page['box'] === $hook;
    }

    public function placesBox(): bool
    {
        return $this->hasBox('displayTop') || $this->hasBox('displayNavFullWidth');
    }

    /** A file by itself, with the version in its address: what the platform combines for all media stays as it is after an upgrade. */
    public static function addStyle(FrontController $controller): void
    {
        $path = 'modules/' . Boot::NAME . '/views/css/box.css';
        $controller->registerStylesheet('findwell-box', $path, ['media' => 'screen', 'version' => Boot::VERSION]);
    }

    public function line(): string
    {
        if ($this->page === null) {
            return '';
        }
        $module = fn (string $controller): string =>
            $this->context->link->getModuleLink(Boot::NAME, $controller, [], null, (int) $this->context->language->id);
        $language = $this->page['languages'][$this->context->language->id] ?? null;

        return WidgetLine::html($this->script(), $this->page['base'], $this->page['key'], [
            'lang' => $language ?? strtolower((string) $this->context->language->iso_code),
            'input' => $this->hasBox('field') ? self::FIELD : null,
            'takeover' => $this->hasBox('field'),
            'results' => $this->results(),
            'visitor' => $module('visitor'),
            'prices' => $this->page['prices'] ? $module('prices') : null,
            'cards' => $this->page['cards'] ? $module('cards') : null,
        ]);
    }

    /** Address of the line's script on this shop, with the version that a browser keeps it for. */
    private function script(): string
    {
        $module = $this->context->shop->getBaseURI() . 'modules/' . Boot::NAME . '/';

        return $module . WidgetLine::SCRIPT . '?v=' . Boot::VERSION;
    }

    /** Address of the shop's own search, in which `{q}` stands for what is searched. */
    public function results(): string
    {
        $address = $this->context->link->getPageLink('search', null, (int) $this->context->language->id);

        return $address . (str_contains($address, '?') ? '&' : '?') . 's={q}';
    }
}
