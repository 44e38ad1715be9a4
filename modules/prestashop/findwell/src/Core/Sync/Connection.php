<?php

/**
 * Findwell: the connection of one shop: address, keys, and what the service said when it was made.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Core\Sync;

use Findwell\Core\Service\Capabilities;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Connection
{
    public function __construct(private readonly Memory $memory)
    {
    }

    public function isConnected(): bool
    {
        return $this->baseAddress() !== '' && $this->key() !== '';
    }

    public function baseAddress(): string
    {
        return (string) ($this->memory->get('base_address') ?? '');
    }

    public function key(): string
    {
        return (string) ($this->memory->get('key') ?? '');
    }

    /** The key as a form may show it. */
    public function maskedKey(): string
    {
        $key = $this->key();

        return $key === '' ? '' : substr($key, 0, 4) . str_repeat('•', 12) . substr($key, -4);
    }

    /** Search-only key of the store's pages; empty until there is one. */
    public function publicKey(): string
    {
        return (string) ($this->memory->get('public_key') ?? '');
    }

    public function contextSecret(): string
    {
        return (string) ($this->memory->get('context_secret') ?? '');
    }

    /** Why no call can succeed until the key is changed; null if it is well. */
    public function brokenReason(): ?string
    {
        return $this->memory->get('broken');
    }

    public function markBroken(?string $reason): void
    {
        if ($reason !== $this->brokenReason()) {
            $this->memory->set('broken', $reason);
        }
    }

    /** Whether the service has rejected the key of the pages, so that they show the theme's search alone. */
    public function isPagesKeyRejected(): bool
    {
        return $this->memory->get('pages_key_rejected') === true;
    }

    public function markPagesKey(bool $isAccepted): void
    {
        if ($isAccepted === $this->isPagesKeyRejected()) {
            $this->memory->set('pages_key_rejected', $isAccepted ? null : true);
        }
    }

    /** Unix time since when the service does not respond; null while it does. */
    public function downSince(): ?int
    {
        return $this->memory->get('down_since');
    }

    /**
     * A copy of the shop elsewhere must not write to the store of the original.
     *
     * @param string $address of the shop now
     */
    public function isCopy(string $address): bool
    {
        $seen = $this->memory->get('seen_address');

        return $seen !== null && $seen !== $address;
    }

    /**
     * @return list<string> codes of the languages that the service indexes
     */
    public function indexedLanguages(): array
    {
        return $this->memory->get('languages')['indexed'] ?? [];
    }

    /**
     * @return array<string, mixed>|null null if the service does not tell
     */
    public function plan(): ?array
    {
        return $this->memory->get('plan');
    }

    public function capabilities(): Capabilities
    {
        return Capabilities::restore($this->memory->get('capabilities') ?? []);
    }
}
