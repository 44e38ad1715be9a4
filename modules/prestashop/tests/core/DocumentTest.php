<?php

/**
 * Findwell: tests of documents.
 * 1. Text is plain: tags give way to a space, entities are decoded, white space is folded, 20,000 characters stay.
 * 2. Codes stay text in the bytes that are sent, whatever they look like.
 * 3. The number of a feature follows the documented rule, for every documented example.
 * 4. The hash depends on content, not on the order of keys, nor on `rev`, nor on the host's number format.
 * 5. A product without a name in a language has no document there; empty values are left out, 0 and false are not.
 * 6. Groups: sorted, existing ones only, `none` when nobody is left.
 * 7. Languages that share a code are told apart, and a code once given never changes.
 *
 * @license Apache-2.0
 */

declare(strict_types=1);

namespace Findwell\Tests\core;

use Findwell\Core\Document\AccessGroups;
use Findwell\Core\Document\BrandDocument;
use Findwell\Core\Document\CanonicalHash;
use Findwell\Core\Document\CategoryDocument;
use Findwell\Core\Document\FeatureNumber;
use Findwell\Core\Document\LanguageCodes;
use Findwell\Core\Document\PageDocument;
use Findwell\Core\Document\ProductDocument;
use Findwell\Core\Document\Text;
use Findwell\Core\Service\Json;
use PHPUnit\Framework\TestCase;

final class DocumentTest extends TestCase
{
    /** @dataProvider texts */
    public function testTextIsPlain(string $html, string $expected): void
    {
        self::assertSame($expected, Text::plain($html));
    }

    public static function texts(): array
    {
        return [
            ['<p>One</p><p>two</p>', 'One two'],
            ["a&nbsp;&amp;\u{00A0}b\r\n\tc", 'a & b c'],
            ['x<script>alert("1")</script>y<style>p{}</style>z', 'x y z'],
            ['a < b and 3<4', 'a < b and 3<4'],
            ['unclosed <b', 'unclosed'],
            ["bad \xFF byte", 'bad ? byte'],
            ['&lt;b&gt;', '<b>'],
            ['', ''],
        ];
    }

    public function testTextIsCut(): void
    {
        self::assertSame(20000, mb_strlen(Text::plain(str_repeat('ñ', 20001))));
    }

    public function testCodesStayText(): void
    {
        $document = ProductDocument::build([
            'id' => 7, 'currency' => 'EUR', 'reference' => ' 00123 ', 'ean13' => '12345678901234567890', 'mpn' => '1e5', 'upc' => '0',
            'variants' => [['reference' => '007', 'ean13' => '1e5', 'upc' => '', 'mpn' => 'A 1'], ['reference' => '007', 'ean13' => '2']],
        ], ['name' => 'X', 'tags' => ['2024', 'x']]);
        $json = Json::encode($document);
        foreach (
            ['"id":"7"', '"reference":"00123"', '"ean13":"12345678901234567890"', '"mpn":"1e5"', '"upc":"0"',
            '"combinationReferences":["007"]', '"combinationEans":["1e5","2"]', '"combinationMpns":["A 1"]', '"tags":["2024","x"]'] as $part
        ) {
            self::assertStringContainsString($part, $json);
        }
        self::assertArrayNotHasKey('combinationUpcs', $document);
    }

    /** @dataProvider numbers */
    public function testFeatureNumber(string $text, float|int|null $expected): void
    {
        self::assertSame($expected, FeatureNumber::parse($text));
    }

    public static function numbers(): array
    {
        return [
            ['12,5 cm', 12.5], ['1.234,56 €', 1234.56], ['1,234.56', 1234.56], ['1 200 W', 1200], ['1 200,75', 1200.75],
            ['1.200', 1.2], ['1.000.000', 1000000], ['-3,5 °C', -3.5], ['10-20 kg', 10], ['0,5 - 1 l', 0.5],
            ['3/4"', 3], ['A4', 4], ['no', null], ['', null], ['٣٤', null], ["1\u{00A0}200 W", 1200], ["2\u{202F}500,5", 2500.5],
            ['USB-3', 3], [str_repeat('9', 400), null], ['1 2000', 1],
        ];
    }

    public function testFirstFeatureWithANumberCounts(): void
    {
        $features = [
            ['featureId' => '2', 'feature' => 'Width', 'id' => '1', 'value' => '7 cm'],
            ['featureId' => '3', 'feature' => 'Weight', 'id' => '2', 'value' => 'light'],
            ['featureId' => '3', 'feature' => 'Weight', 'id' => '3', 'value' => '1,5 kg'],
        ];
        $product = ['id' => 1, 'currency' => 'EUR', 'numericFeature' => 3];
        self::assertSame(1.5, ProductDocument::build($product, ['name' => 'X', 'features' => $features])['feature_num']);
        self::assertArrayNotHasKey('feature_num', ProductDocument::build(['numericFeature' => 0] + $product, ['name' => 'X', 'features' => $features]));
    }

    public function testHashDependsOnContentOnly(): void
    {
        $one = ['id' => '1', 'name' => 'É', 'price' => 14.4, 'a' => ['x' => 1, 'y' => ['b' => 2, 'a' => 1]], 'rev' => 1, 'hash' => 'x'];
        $two = ['a' => ['y' => ['a' => 1, 'b' => 2], 'x' => 1.0], 'price' => 14.4, 'rev' => 9, 'name' => 'É', 'id' => '1'];
        self::assertSame(CanonicalHash::of($one), CanonicalHash::of($two));
        self::assertNotSame(CanonicalHash::of($one), CanonicalHash::of(['price' => 14.5] + $one));
        self::assertNotSame(CanonicalHash::of(['l' => [1, 2]]), CanonicalHash::of(['l' => [2, 1]]));
        self::assertNotSame(CanonicalHash::of(['l' => '1']), CanonicalHash::of(['l' => 1]));
        self::assertSame('sha1:' . sha1('{"id":"1","n":14.4}'), CanonicalHash::of(['n' => 14.4, 'id' => '1']));
        $before = ini_set('serialize_precision', '17');
        try {
            self::assertSame('sha1:' . sha1('{"id":"1","n":14.4}'), CanonicalHash::of(['n' => 14.4, 'id' => '1']));
            self::assertSame('17', ini_get('serialize_precision'));
        } finally {
            ini_set('serialize_precision', $before);
        }
    }

    public function testWhatHasNoNameHasNoDocument(): void
    {
        self::assertNull(ProductDocument::build(['id' => 1, 'currency' => 'EUR'], ['name' => ' <br> ']));
        self::assertNull(CategoryDocument::build(['id' => 1, 'name' => '']));
        self::assertNull(BrandDocument::build(['id' => 1]));
        self::assertNull(PageDocument::build(['id' => 1, 'title' => '&nbsp;']));
        self::assertSame('MANUFACTURER', BrandDocument::build(['id' => 1, 'name' => 'B'])['type']);
    }

    public function testEmptyValuesAreLeftOut(): void
    {
        $product = ['id' => 1, 'currency' => 'EUR', 'quantity' => 0, 'backOrders' => true];
        $document = ProductDocument::build($product, ['name' => 'X', 'url' => 'ftp://x', 'image' => '//x/y.jpg']);
        self::assertSame(0, $document['quantity']);
        self::assertSame(0, $document['sales_count']);
        self::assertFalse($document['inStock']);
        self::assertFalse($document['outOfStock']);
        foreach (['url', 'image', 'description', 'tags', 'accessGroups', 'rating'] as $field) {
            self::assertArrayNotHasKey($field, $document);
        }
        $unmanaged = ProductDocument::build(['stockManaged' => false] + $product, ['name' => 'X']);
        self::assertTrue($unmanaged['inStock']);
        self::assertArrayNotHasKey('quantity', $unmanaged);
        self::assertTrue(ProductDocument::build(['backOrders' => false] + $product, ['name' => 'X'])['outOfStock']);
    }

    public function testAccessGroups(): void
    {
        self::assertSame(['1', '3', '12'], AccessGroups::of([12, '3', 1, 3], [1, 2, 3, 12]));
        self::assertSame(['none'], AccessGroups::of([0, 9], [1, 2]));
        self::assertSame(['none'], AccessGroups::of([], [1, 2]));
    }

    public function testLanguageCodes(): void
    {
        $languages = [
            ['id' => 1, 'locale' => 'en-GB', 'default' => false],
            ['id' => 2, 'locale' => 'en-US', 'default' => true],
            ['id' => 3, 'locale' => 'es-ES', 'default' => false],
        ];
        self::assertSame([2 => 'en', 1 => 'en-gb', 3 => 'es'], LanguageCodes::assign($languages, []));
        self::assertSame([2 => 'en-us', 1 => 'en', 3 => 'es'], LanguageCodes::assign($languages, [1 => 'en', 2 => 'en-us']));
        self::assertSame([2 => 'en-us', 1 => 'en', 3 => 'es'], LanguageCodes::assign($languages, [1 => 'en']));
    }
}
