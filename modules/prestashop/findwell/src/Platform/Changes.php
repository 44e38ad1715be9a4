<?php

/**
 * Findwell: notes what hooks say in this request, and has it sent at its end.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Platform;

use Findwell\Core\Hooks\Noted;
use Findwell\Core\Sync\Types;
use RuntimeException;
use Throwable;

if (!defined('_PS_VERSION_')) {
    exit;
}

final class Changes
{
    private static ?self $ofRequest = null;

    private readonly Noted $noted;
    /** @var array<int, true> */
    private array $variants = [];
    /** @var array<int, true> */
    private array $rules = [];
    /** @var array<int, true> */
    private array $orders = [];

    private function __construct()
    {
        $this->noted = new Noted();
        register_shutdown_function(fn () => (new EndOfRequest())->run($this));
    }

    public static function ofRequest(): self
    {
        return self::$ofRequest ??= new self();
    }

    /**
     * Notes a change of an object; never fails.
     *
     * @param string $class of the platform, without namespace
     */
    public static function object(string $class, mixed $object): void
    {
        try {
            if (is_object($object)) {
                self::ofRequest()->note($class, $object);
            }
        } catch (Throwable $failure) {
            // What it concerns could not be read, so that a pass has to find it.
            Log::failure($failure);
            self::ofRequest()->noted->due('products');
        }
    }

    public static function product(mixed $id): void
    {
        self::ofRequest()->noted->object('products', (int) $id);
    }

    public static function variant(mixed $id): void
    {
        self::ofRequest()->variants[(int) $id] = true;
    }

    /** Notes an order, whose products are read when the shopper has the page. */
    public static function order(mixed $id): void
    {
        self::ofRequest()->orders[(int) $id] = true;
        self::ofRequest()->noted->order();
    }

    /** Before a rule changes, and after: those that it left need their prices too. */
    public static function rule(mixed $id): void
    {
        try {
            self::ofRequest()->rules[(int) $id] = true;
            self::ofRequest()->productsOfRule((int) $id);
        } catch (Throwable $failure) {
            Log::failure($failure);
            self::ofRequest()->noted->due('products');
        }
    }

    private function note(string $class, object $object): void
    {
        $id = (int) ($object->id ?? 0);
        match ($class) {
            'Product' => $this->noted->object('products', $id),
            'StockAvailable', 'Image' => $this->noted->object('products', (int) ($object->id_product ?? 0)),
            'Combination' => (int) ($object->id_product ?? 0) > 0
                ? $this->noted->object('products', (int) $object->id_product)
                : self::variant($id),
            'SpecificPrice' => $this->specificPrice($object),
            'SpecificPriceRule' => self::rule($id),
            'Tag' => $this->tag($id),
            'Category' => $this->withProducts('categories', $id),
            'CMS' => $this->noted->object('pages', $id),
            'CMSCategory' => $this->noted->due('pages'),
            'Manufacturer' => $this->withProducts('brands', $id),
            'Supplier', 'Feature', 'FeatureValue', 'ProductAttribute', 'AttributeGroup' => $this->noted->due('products'),
            default => $this->everything(),
        };
    }

    private function withProducts(string $type, int $id): void
    {
        $this->noted->object($type, $id);
        $this->noted->due('products');
    }

    /** Prices and addresses hang on what changed, and so do the declarations. */
    private function everything(): void
    {
        array_map($this->noted->due(...), Types::ALL);
        $this->noted->declarations();
    }

    private function specificPrice(object $price): void
    {
        // A price of one cart or one customer is nobody else's.
        if ((int) ($price->id_cart ?? 0) > 0 || (int) ($price->id_customer ?? 0) > 0) {
            return;
        }
        $product = (int) ($price->id_product ?? 0);
        if ($product > 0) {
            $this->noted->object('products', $product);
        } else {
            $this->noted->due('products');
        }
    }

    private function tag(int $id): void
    {
        $max = Noted::OBJECTS_MAX + 1;
        $products = Sql::column("SELECT `id_product` FROM `{prefix}product_tag` WHERE `id_tag` = $id LIMIT $max");
        foreach ($products as $product) {
            $this->noted->object('products', (int) $product);
        }
    }

    private function productsOfRule(int $rule): void
    {
        $products = RuleProducts::of($rule);
        if ($products === null) {
            $this->noted->due('products');
        }
        foreach ($products ?? [] as $product) {
            $this->noted->object('products', $product);
        }
    }

    /** What was noted, with the products of variants, orders and rules; to be called once, and never fails. */
    public function resolved(): Noted
    {
        try {
            $this->products('SELECT `id_product` FROM `{prefix}product_attribute` WHERE `id_product_attribute` IN', $this->variants);
            $this->products('SELECT DISTINCT `product_id` FROM `{prefix}order_detail` WHERE `id_order` IN', $this->orders);
            foreach (array_keys($this->rules) as $rule) {
                $this->productsOfRule($rule);
                RuleProducts::keep($rule);
            }
        } catch (Throwable $failure) {
            // Nobody knows which products they are.
            Log::failure($failure);
            $this->noted->due('products');
        }

        return $this->noted;
    }

    /**
     * @param array<int, true> $of ids of what has products
     */
    private function products(string $sql, array $of): void
    {
        foreach (array_chunk(array_keys($of), 500) as $ids) {
            $rows = Sql::rowsUnlessFailed("$sql (" . Sql::ids($ids) . ')') ?? throw new RuntimeException('products of a change');
            foreach ($rows as $row) {
                $this->noted->object('products', (int) reset($row));
            }
        }
    }
}
