<?php

/**
 * Findwell: the languages of a shop and their codes at the service.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Document\LanguageCodes;
use Language;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Languages
{
    /** @var array<int, array<string, mixed>>|null language id => row */
    private ?array $rows = null;

    public function __construct(
        private readonly int $shop,
        private readonly int $default
    ) {
    }

    /**
     * @return array<string, int> code => id, default first
     */
    public function ids(): array
    {
        $settings = Settings::of($this->shop);
        $stored = $settings->get('codes') ?? [];
        $languages = [];
        foreach ($this->rows() as $id => $row) {
            $languages[] = ['id' => $id, 'locale' => (string) $row['locale'], 'default' => $id === $this->default];
        }
        $codes = LanguageCodes::assign($languages, $stored);
        if ($codes + $stored !== $stored) {
            $settings->set('codes', $codes + $stored);
        }

        return array_flip($codes);
    }

    public function codeOf(int $id): ?string
    {
        $code = array_search($id, $this->ids(), true);

        return $code === false ? null : (string) $code;
    }

    /**
     * @return list<array{code: string, locale: string, name: string, default: bool}>
     */
    public function declared(): array
    {
        $list = [];
        foreach ($this->ids() as $code => $id) {
            $row = $this->rows()[$id];
            $list[] = [
                'code' => (string) $code,
                'locale' => (string) $row['locale'],
                'name' => (string) $row['name'],
                'default' => $id === $this->default,
            ];
        }

        return $list;
    }

    /**
     * @return array<int, array<string, mixed>>
     */
    private function rows(): array
    {
        if ($this->rows === null) {
            $this->rows = [];
            foreach (Language::getLanguages(true, $this->shop) as $row) {
                $this->rows[(int) $row['id_lang']] = $row;
            }
        }

        return $this->rows;
    }
}
