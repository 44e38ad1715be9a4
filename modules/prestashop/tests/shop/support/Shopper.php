<?php

/**
 * Findwell: somebody who shops: an account of their own, who logs in and buys as a browser does.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\shop\support;

use RuntimeException;

final class Shopper
{
    private const PASSWORD = 'Shopper-Test-2026';

    public readonly int $id;
    private readonly int $address;
    private readonly RunningShop $browser;

    public function __construct(private readonly RunningShop $shop, int $group, string $vatNumber = '')
    {
        $this->browser = new RunningShop();
        $email = 'shopper-' . bin2hex(random_bytes(6)) . '@example.com';
        $values = var_export([$email, self::PASSWORD, $group, $vatNumber], true);
        [$this->id, $this->address] = $shop->php("[\$email, \$password, \$group, \$vat] = $values;" . '
            $c = new Customer(); $c->firstname = "Eva"; $c->lastname = "Test"; $c->email = $email; $c->passwd = password_hash($password, PASSWORD_BCRYPT);
            $c->id_default_group = $group; $c->add(); $c->updateGroup([$group]);
            $a = new Address(); $a->id_customer = $c->id; $a->id_country = (int) Configuration::get("PS_COUNTRY_DEFAULT"); $a->alias = "x"; $a->firstname = "Eva";
            $a->lastname = "Test"; $a->address1 = "Road 1"; $a->city = "Town"; $a->postcode = "28001"; $a->phone = "600000000"; $a->dni = "00000000T";
            $a->id_state = (int) Db::getInstance()->getValue("SELECT id_state FROM " . _DB_PREFIX_ . "state WHERE id_country = " . (int) $a->id_country);
            $a->company = $vat === "" ? "" : "Firm"; $a->vat_number = $vat; $a->add(); return [(int) $c->id, (int) $a->id];');
        $page = $this->browser->request('/en/login')[2];
        preg_match('/<form[^>]*id="login-form"[^>]*\saction="([^"]+)"/', $page, $match);
        $this->browser->request(html_entity_decode($match[1] ?? '/en/login'), ['email' => $email, 'password' => self::PASSWORD, 'back' => '', 'submitLogin' => '1']);
        if (str_contains($this->browser->request('/en/my-account')[2], 'id="login-form"')) {
            throw new RuntimeException('the shopper cannot log in');
        }
    }

    public function chooseCurrency(int $currency): void
    {
        preg_match("/[^\"']*SubmitCurrency=1&amp;id_currency=$currency\b[^\"']*/", $this->browser->request('/en/')[2], $match);
        $this->browser->request(html_entity_decode($match[0] ?? ''));
    }

    /** @return array<string, mixed> */
    public function module(string $controller, string $query = ''): array
    {
        return $this->browser->module($controller, $query);
    }

    /** Puts a product into the cart, with the address of the shopper. */
    public function fillCart(int $product): int
    {
        preg_match('/static_token":"([0-9a-f]+)"/', $this->browser->request('/en/')[2], $match);
        $this->browser->request('/en/cart', ['token' => $match[1] ?? '', 'id_product' => $product, 'qty' => 1, 'add' => 1, 'action' => 'update']);
        $cart = (int) $this->shop->value("SELECT MAX(id_cart) FROM {prefix}cart WHERE id_customer = $this->id");
        $this->shop->php("\$c = new Cart($cart); \$c->id_address_delivery = \$c->id_address_invoice = $this->address; \$c->id_carrier = 1;
            \$c->delivery_option = json_encode([$this->address => '1,']); \$c->save();
            return Db::getInstance()->execute('UPDATE ' . _DB_PREFIX_ . 'cart_product SET id_address_delivery = $this->address WHERE id_cart = $cart');");

        return $cart;
    }

    /** Orders what is in the cart, and returns the seconds that it took. */
    public function checkOut(int $cart): float
    {
        $started = microtime(true);
        $page = $this->browser->request('/en/module/ps_wirepayment/validation');
        $seconds = microtime(true) - $started;
        if ($this->shop->value("SELECT id_order FROM {prefix}orders WHERE id_cart = $cart") === null) {
            throw new RuntimeException("no order: $page[0] " . substr(trim(preg_replace('/\s+/', ' ', strip_tags($page[2]))), 0, 500));
        }

        return $seconds;
    }
}
