<?php

/**
 * Findwell: what the prices of a shop are made of: currencies, customer groups, countries, and which of them are chosen.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Configuration;
use Country;
use Currency;
use Findwell\Core\Sync\ShopFacts;
use Group;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class PriceBase
{
    public readonly int $language;
    public readonly int $currency;
    public readonly int $group;
    public readonly int $country;
    /** @var array<int, Currency> */
    private array $currencies = [];
    /** @var array<int, array<string, mixed>> */
    private array $groups = [];
    /** @var array<int, array<string, mixed>> */
    private array $countries = [];

    public function __construct(
        public readonly int $shop,
        public readonly Languages $languages
    ) {
        $this->language = (int) Configuration::get('PS_LANG_DEFAULT', null, null, $shop);
        $this->currency = (int) Configuration::get('PS_CURRENCY_DEFAULT', null, null, $shop);
        $this->group = (int) Configuration::get('PS_UNIDENTIFIED_GROUP', null, null, $shop);
        $this->country = (int) Configuration::get('PS_COUNTRY_DEFAULT', null, null, $shop);
        foreach (Currency::getCurrenciesByIdShop($shop) as $row) {
            if (!$row['deleted'] && ($row['active'] || (int) $row['id'] === $this->currency)) {
                $this->currencies[(int) $row['id']] = Currency::getCurrencyInstance((int) $row['id']);
            }
        }
        foreach (Group::getGroups($this->language, $shop) as $row) {
            $this->groups[(int) $row['id_group']] = $row;
        }
        foreach (Country::getCountriesByIdShop($shop, $this->language) as $row) {
            if ($row['active'] || (int) $row['id_country'] === $this->country) {
                $this->countries[(int) $row['id_country']] = $row;
            }
        }
    }

    /**
     * @return array<int, Currency>
     */
    public function currencies(): array
    {
        return $this->currencies;
    }

    /**
     * @return array<int, array<string, mixed>>
     */
    public function groups(): array
    {
        return $this->groups;
    }

    /**
     * @return array<int, array<string, mixed>>
     */
    public function countries(): array
    {
        return $this->countries;
    }

    public function currencyCode(): string
    {
        return (string) $this->currencies[$this->currency]->iso_code;
    }

    public function countryCode(): string
    {
        return strtolower((string) Country::getIsoById($this->country));
    }

    public function facts(Choices $choices, string $origin): ShopFacts
    {
        $chosen = static fn (array $all, array $ids, int $base): array =>
            array_intersect_key($all, array_flip(array_diff($ids, [$base])));
        // A declared group without a price field has no price; one that is not declared would have the visitor's.
        $hiding = array_filter($this->groups, static fn (array $group): bool => !ShownPrices::toGroup($group));
        $tiers = $chosen($this->groups, $choices->tiers, $this->group)
            + $chosen($this->groups, array_keys($hiding), $this->group);
        $currencies = $chosen($this->currencies, $choices->currencies, $this->currency);
        $countries = $chosen($this->countries, $choices->countries, $this->country);

        return new ShopFacts(
            $choices->types,
            $this->languages->declared(),
            [
                'code' => $this->currencyCode(),
                'list' => array_map(self::currency(...), [$this->currencies[$this->currency], ...array_values($currencies)]),
            ],
            [
                'base' => $this->named(['groupId' => (string) $this->group], $this->groups[$this->group]['name'] ?? ''),
                'list' => array_map($this->tier(...), array_values($tiers)),
            ],
            ['iso' => $this->countryCode(), 'list' => array_map($this->declaredCountry(...), array_values($countries))],
            $this->access(),
            $choices->cross,
            $origin
        );
    }

    /**
     * @return array<string, mixed>
     */
    private static function currency(Currency $currency): array
    {
        $symbol = mb_substr((string) $currency->getSymbol(), 0, 16);

        return ['code' => (string) $currency->iso_code, 'decimals' => min(6, (int) $currency->precision)]
            + ($symbol === '' ? [] : ['symbol' => $symbol]);
    }

    /**
     * @param array<string, mixed> $group
     *
     * @return array<string, mixed>
     */
    private function tier(array $group): array
    {
        $tier = ['groupId' => (string) $group['id_group'], 'taxDisplay' => (int) $group['price_display_method'] === 1 ? 'excl' : 'incl'];

        return $this->named($tier, (string) $group['name']);
    }

    /**
     * @param array<string, mixed> $country
     *
     * @return array<string, mixed>
     */
    private function declaredCountry(array $country): array
    {
        return $this->named(['iso' => strtolower((string) $country['iso_code'])], (string) $country['name']);
    }

    /**
     * @return array<string, mixed>
     */
    private function access(): array
    {
        $groups = [];
        foreach ($this->groups as $id => $group) {
            $groups[] = $this->named(['id' => (string) $id], (string) $group['name']);
        }

        return ['enabled' => (bool) Group::isFeatureActive(), 'visitorGroup' => (string) $this->group, 'groups' => $groups];
    }

    /**
     * @param array<string, mixed> $entry
     *
     * @return array<string, mixed>
     */
    private function named(array $entry, string $name): array
    {
        $code = $this->languages->codeOf($this->language);

        return $code === null || $name === '' ? $entry : $entry + ['names' => [$code => mb_substr($name, 0, 255)]];
    }
}
