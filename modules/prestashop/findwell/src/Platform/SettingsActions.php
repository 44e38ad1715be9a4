<?php

/**
 * Findwell: what the buttons of the settings do.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Service\BaseAddress;
use Findwell\Core\Service\ServiceError;
use Findwell\Core\Sync\RunOpener;
use Findwell\Core\Sync\Types;
use Findwell\Core\Web\CronRequest;
use InvalidArgumentException;
use Module;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class SettingsActions
{
    private const CLICK_SECONDS = 10.0;

    /** @var list<array{step: string, status: string, message: string}> */
    public array $steps = [];
    /** @var list<string> */
    public array $errors = [];
    /** @var list<string> names of what was done */
    public array $notices = [];
    /** @var array<string, mixed>|null what a call has done, as `ReportView` tells it */
    public ?array $report = null;

    public function __construct(
        private readonly Module $module,
        private readonly int $shop
    ) {
    }

    public function reject(): void
    {
        $this->errors[] = 'permission';
    }

    /**
     * @param array<string, mixed> $form
     */
    public function run(string $action, array $form): void
    {
        try {
            match ($action) {
                'connect' => $this->connect($form),
                'test' => $this->steps(),
                'save' => $this->save($form),
                'sync' => $this->sync(),
                'fresh' => $this->slice('sync', '1'),
                'reset' => $this->slice('reset_incremental', '0'),
                'tokens' => $this->tokens(),
                'rotate' => $this->rotate(),
                'confirm' => $this->confirm(),
                'groups' => $this->groups(),
                'moved' => $this->moved(),
                'copy', 'disconnect' => $this->disconnect($action === 'copy'),
                default => $this->errors[] = 'unknown',
            };
        } catch (InvalidArgumentException | ServiceError $error) {
            $this->errors[] = $error->getMessage();
        }
        PageSettings::save(new ShopSync($this->shop));
    }

    /**
     * @param array<string, mixed> $form
     */
    private function connect(array $form): void
    {
        $settings = Settings::of($this->shop);
        $address = BaseAddress::parse(is_string($form['address'] ?? null) ? $form['address'] : '');
        $key = is_string($form['key'] ?? null) ? trim($form['key']) : '';
        if ($key === '' && (new ShopSync($this->shop))->connection->key() === '') {
            throw new InvalidArgumentException('key: enter the connector key of the store');
        }
        if ($key !== '' && preg_match('/^[A-Za-z0-9_-]{8,255}$/D', $key) !== 1) {
            throw new InvalidArgumentException('key: this is no key; a connector key begins with con_');
        }
        $settings->set('base_address', $address);
        if ($key !== '') {
            $settings->set('key', $key);
        }
        $this->steps();
    }

    private function steps(): void
    {
        $sync = new ShopSync($this->shop);
        if ($sync->connection->isConnected() && !$sync->connection->isCopy($sync->address())) {
            $this->steps = $sync->connecting($sync->client())->run($sync->facts(), $sync->deadline(30.0));
        }
    }

    /**
     * @param array<string, mixed> $form
     */
    private function save(array $form): void
    {
        $hours = str_replace(',', '.', is_string($form['hours'] ?? null) ? $form['hours'] : '24');
        $choices = ['interval' => (int) round(3600 * min((float) $hours, 1e6)), 'feature' => $form['feature'] ?? 0,
            'image' => $form['image'] ?? '', 'box' => $form['box'] ?? ''];
        foreach (['types', 'currencies', 'tiers', 'countries'] as $list) {
            $choices[$list] = is_array($form[$list] ?? null) ? array_filter($form[$list], 'is_scalar') : [];
        }
        foreach (['on_change', 'cross', 'live_prices', 'cards'] as $flag) {
            $choices[$flag] = ($form[$flag] ?? '') === '1';
        }
        Settings::of($this->shop)->set('choices', (new Choices($choices))->all());
        Settings::of($this->shop)->set('declarations_due', true);
        Boot::makeDue($this->shop, Types::ALL);
        $this->notices[] = 'saved';
    }

    private function slice(string $what, string $fresh): void
    {
        $request = CronRequest::parse($what, $fresh);
        $this->report = ReportView::of((new CronJob($this->module))->run($this->shop, $request, self::CLICK_SECONDS));
    }

    /** Compares everything, also what is not due: whoever presses the button wants something to be done. */
    private function sync(): void
    {
        $passes = new PassTable($this->shop);
        Boot::makeDue($this->shop, array_filter(Types::ALL, static fn (string $type): bool => !$passes->load($type)->isOpen));
        $this->slice('sync', '0');
    }

    private function tokens(): void
    {
        Settings::of($this->shop)->set('cron_token', Boot::token());
        Settings::of($this->shop)->set('test_token', Boot::token());
        $this->notices[] = 'tokens';
    }

    private function rotate(): void
    {
        $sync = new ShopSync($this->shop);
        $sync->connecting($sync->client())->publicKey($sync->facts(), true, $sync->deadline(10.0));
        $this->notices[] = 'rotated';
    }

    /** The owner has seen how many documents a pass would delete, and wants that. */
    private function confirm(): void
    {
        $sync = new ShopSync($this->shop);
        $closer = $sync->closer($sync->client());
        foreach (Types::ALL as $type) {
            $closer->confirm($type, $sync->passes->load($type), $sync->deadline(20.0));
        }
        $this->notices[] = 'confirmed';
    }

    private function groups(): void
    {
        Sql::run('INSERT IGNORE INTO `{prefix}module_group` (`id_module`, `id_shop`, `id_group`)
            SELECT ' . (int) $this->module->id . ", $this->shop, `id_group` FROM `{prefix}group`");
        $this->notices[] = 'saved';
    }

    private function moved(): void
    {
        $sync = new ShopSync($this->shop);
        $sync->settings->set('seen_address', $sync->address());
        $this->steps();
    }

    private function disconnect(bool $isCopy): void
    {
        $sync = new ShopSync($this->shop);
        $sync->states->drop();
        $sync->queue->clear();
        foreach (
            ['key', 'public_key', 'context_secret', 'store_id', 'store_name', 'languages', 'plan', 'declared', 'declarations',
            'capabilities', 'broken', 'breaker', 'seen_address', 'pages_key_rejected', 'down_since', 'keys_checked'] as $name
        ) {
            $sync->settings->set($name, null);
        }
        if ($isCopy) {
            $sync->settings->set('instance_id', RunOpener::uuid());
        }
        $this->notices[] = 'disconnected';
    }
}
