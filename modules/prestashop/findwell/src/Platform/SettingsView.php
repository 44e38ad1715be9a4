<?php

/**
 * Findwell: what the page of settings shows.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Configuration;
use Context;
use Feature;
use Findwell\Core\Sync\Due;
use Findwell\Core\Sync\Types;
use ImageType;
use Module;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class SettingsView
{
    public function __construct(
        private readonly Module $module,
        private readonly Context $context,
        private readonly ShopSync $sync
    ) {
    }

    /**
     * @return array<string, mixed>
     */
    public function values(): array
    {
        $connection = $this->sync->connection;
        $settings = $this->sync->settings;
        $trouble = Trouble::of($this->sync);

        return [
            'version' => Boot::VERSION,
            // From the root: the administration of version 9 has folders in its addresses.
            'style' => $this->module->getPathUri() . 'views/css/settings.css?' . Boot::VERSION,
            'notice' => VersionCheck::notice($this->sync, substr((string) $this->context->language->iso_code, 0, 2)),
            'address' => $connection->baseAddress(),
            'key' => $connection->maskedKey(),
            'is_connected' => $connection->isConnected(),
            'is_copy' => $connection->isCopy($this->sync->address()),
            'store' => ['id' => $settings->get('store_id'), 'name' => $settings->get('store_name')],
            'public_key' => $connection->publicKey(),
            'languages' => $settings->get('languages') ?? ['indexed' => [], 'skipped' => []],
            'plan' => $connection->plan() ?? [],
            'notes' => $settings->get('declared')['notes'] ?? [],
            'choices' => $this->sync->choices->all(),
            'options' => $this->options(),
            'running' => $this->running(),
            'trouble' => $trouble,
            'has_trouble' => Trouble::isAny($trouble) || $trouble['breaker'] !== '',
            'detects_country' => (bool) Configuration::get('PS_DETECT_COUNTRY', null, null, $this->sync->shop)
                && count($this->sync->base()->countries()) > 1,
            'hours' => round($this->sync->choices->interval / 3600, 2),
            'missing_hooks' => HookList::missing($this->module, $this->sync->shop),
            'groups_without' => $this->groupsWithout(),
        ];
    }

    /**
     * @return array<string, mixed>
     */
    private function options(): array
    {
        $base = $this->sync->base();
        $currencies = array_map(static fn ($currency): string => (string) $currency->iso_code, $base->currencies());
        $groups = array_map(static fn (array $group): string => (string) $group['name'], $base->groups());
        $countries = array_map(static fn (array $country): string => (string) $country['name'], $base->countries());
        asort($countries);

        return [
            'types' => Types::ALL,
            'boxes' => Choices::BOXES,
            'features' => array_column(Feature::getFeatures((int) $this->context->language->id), 'name', 'id_feature'),
            'images' => array_column(ImageType::getImagesTypes('products'), 'name'),
            'currencies' => array_diff_key($currencies, [$base->currency => 1]),
            'tiers' => array_diff_key($groups, [$base->group => 1]),
            'countries' => array_diff_key($countries, [$base->country => 1]),
        ];
    }

    /**
     * @return array<string, mixed>
     */
    private function running(): array
    {
        $settings = $this->sync->settings;
        $passes = [];
        $problems = [];
        foreach ($this->sync->choices->types as $type) {
            $record = $this->sync->passes->load((string) $type);
            $passes[$type] = [
                'is_open' => $record->isOpen,
                'finished' => $record->finished === null ? '' : date('Y-m-d H:i', $record->finished),
                'next' => date('Y-m-d H:i', Due::next($record, $this->sync->choices->interval)),
                'is_due' => $record->isDue || $record->finished === null,
                'sent' => $record->total('sent'),
                'touched' => $record->total('touched'),
                'dropped' => $record->total('dropped'),
                'deleted' => $record->deleted,
                'held' => $record->heldObjects(),
            ];
            $problems = [...$problems, ...$record->problems];
        }
        $last = $settings->get('last_cron');

        return [
            'passes' => $passes,
            'problems' => array_slice($problems, -20),
            'queue' => $this->sync->queue->count(),
            'cron' => $this->link('cron', ['token' => $settings->get('cron_token'), 'what' => 'sync']),
            'test' => $this->link('test', ['token' => $settings->get('test_token')]),
            'last' => $last === null ? '' : date('Y-m-d H:i', (int) $last['at']),
            'last_status' => (string) ($last['status'] ?? ''),
            'last_message' => (string) ($last['message'] ?? ''),
            'warnings' => $last['warnings'] ?? [],
            'is_late' => $last === null || time() - (int) $last['at'] > 7200,
        ];
    }

    /**
     * @param array<string, mixed> $parameters
     */
    private function link(string $controller, array $parameters): string
    {
        return $this->context->link->getModuleLink(
            Boot::NAME,
            $controller,
            $parameters,
            null,
            null,
            $this->sync->shop
        );
    }

    /**
     * @return list<string> customer groups for which the platform does not run the module
     */
    private function groupsWithout(): array
    {
        $names = [];
        $with = array_map('intval', Sql::column('SELECT `id_group` FROM `{prefix}module_group` WHERE `id_module` = ' . (int) $this->module->id
            . " AND `id_shop` = {$this->sync->shop}"));
        foreach ($this->sync->base()->groups() as $id => $group) {
            if (!in_array($id, $with, true)) {
                $names[] = (string) $group['name'];
            }
        }

        return $names;
    }
}
