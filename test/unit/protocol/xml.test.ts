/** Tests of the XML parser, the XML writer and XML schemas. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { integer, text } from '../../../src/protocol/codecs.ts';
import { document } from '../../../src/protocol/xml/document.ts';
import { element, writeXml } from '../../../src/protocol/xml/element.ts';
import { parseXml } from '../../../src/protocol/xml/parse.ts';
import { leaf, many, optional, record, required } from '../../../src/protocol/xml/schema.ts';

interface Order {
  readonly name: string;
  readonly count?: number;
  readonly items: readonly string[];
}

const order = document<Order>(
  'Order',
  record<Order>({
    name: required('Name', leaf(text)),
    count: optional('Count', leaf(integer())),
    items: many('Item', leaf(text)),
  }),
);

describe('parseXml', () => {
  test('the XML parser reads any text that was written as XML back unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const parsed = parseXml(writeXml(element('A', [element('B', value)])));
        expect(parsed).toEqual(element('A', [element('B', value)]));
      }),
    );
  });

  test.each([
    ['a document type', '<!DOCTYPE a><a/>'],
    ['an entity declaration', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ['a document type in lower case', '<!doctype a><a/>'],
    ['an unknown entity', '<a>&bogus;</a>'],
    ['a bare ampersand', '<a>x & y</a>'],
    ['an entity named like a member of Object.prototype', '<a>&constructor;</a>'],
    ['a character reference to a surrogate', '<a>&#xD800;</a>'],
    ['two root elements', '<a/><b/>'],
    ['text before the root element', 'text<a/>'],
    ['an unclosed element', '<a><b></a>'],
    ['an empty document', ''],
    ['a document that contains only white space', '  \n'],
    ['text between elements', '<a>text<b/></a>'],
    ['an element named __proto__', '<a><__proto__><x/></__proto__></a>'],
    ['an element named constructor', '<a><constructor>1</constructor></a>'],
    ['an element named prototype', '<a><prototype><x>1</x></prototype></a>'],
    ['an element with a prefix named prototype', '<a><n:prototype>1</n:prototype></a>'],
    ['21 levels of elements', '<a>'.repeat(21) + '</a>'.repeat(21)],
    ['120,001 tags', `<a><!---->${'<b/>'.repeat(119_998)}</a>`],
    ['a document of 50,000 levels', '<a>'.repeat(50_000) + '</a>'.repeat(50_000)],
  ])('the XML parser refuses %s with MalformedXML', (_, xml) => {
    expect(() => parseXml(xml)).toThrow(expect.objectContaining({ code: 'MalformedXML' }));
  });

  test('the XML parser throws only MalformedXML for any text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            '<',
            '>',
            '/',
            'a',
            '&',
            ';',
            '!',
            '[',
            ']',
            '-',
            ' ',
            '"',
            '=',
            '?',
          ),
        }),
        (xml) => {
          try {
            parseXml(xml);
          } catch (error) {
            expect(error).toMatchObject({ code: 'MalformedXML' });
          }
        },
      ),
    );
  });

  test('the XML parser reads a CompleteMultipartUpload document of 10,000 parts, each with a checksum', () => {
    const part =
      '<Part><PartNumber>1</PartNumber><ETag>a</ETag><ChecksumCRC32>b</ChecksumCRC32></Part>';
    expect(parseXml(`<a>${part.repeat(10_000)}</a>`).content).toHaveLength(10_000);
  });

  test('the XML parser refuses a document with more tags than the caller allows before it reads the document', () => {
    for (const unit of ['<B/>', '<B></B>', '<b/>', '<!---->', '<', '<![CDATA[]]>', '<?a?>']) {
      const text = `<A>${unit.repeat(20)}</A>`;
      expect(() => parseXml(text, 20)).toThrow(/more than 20 tags/);
    }
    expect(parseXml(`<A>${'<B/>'.repeat(18)}</A>`, 20).content).toHaveLength(18);
  });

  test.each([
    ['the name of a member of Object.prototype', '&toString;'],
    ['a reference without an end', '&amp'],
    ['a reference inside another one', '&am&amp;p;'],
    ['a character reference that is too long', '&#x0000000000041;'],
    ['an ampersand without a reference', '&;'],
  ])('the XML parser refuses an invalid entity reference: %s', (_, entity) => {
    for (const text of [entity, `x${entity}`, `&amp;${entity}x`, `${entity}&amp;`]) {
      expect(() => parseXml(`<a>${text}</a>`)).toThrow(
        expect.objectContaining({ code: 'MalformedXML' }),
      );
    }
  });

  test.each([
    ['attributes', `<a${' b="c"'.repeat(60_000)}/>`],
    ['a very long name', `<${'a'.repeat(400_000)}/>`],
    ['a processing instruction', `<a><?x ${'y > '.repeat(40_000)}?></a>`],
    ['comments', `<a>${`<!--${'-x'.repeat(500)}-->`.repeat(1400)}</a>`],
    ['too many tags after a comment', `<a><!---->${'<b/>'.repeat(30_000)}</a>`],
    ['too much text after a comment', `<a><!----><b>${'x'.repeat(1_400_000)}</b></a>`],
  ])(
    'the XML parser refuses a document that exceeds the limit of parser steps before it reads the document: %s',
    (_, text) => {
      expect(() => parseXml(text)).toThrow(/more than 7000000 steps/);
    },
  );

  test('the XML parser has no step limit for common documents of any length', () => {
    const key = `<Key><![CDATA[${'<&'.repeat(500_000)}]]></Key>`;
    const part = '<n:Part x="y" >\r\n<n:Number>1</n:Number></n:Part>';
    const text = `<n:All xmlns:n='urn:x'>${key}${part.repeat(20_000)}</n:All>`;
    const { name, content } = parseXml(text);
    expect([name, content.length]).toEqual(['All', 20_001]);
    expect(content[0]).toEqual(element('Key', '<&'.repeat(500_000)));
    expect(content[1]).toEqual(element('Part', [element('Number', '1')]));
  });

  test.each([
    ['&#65;&#x41;&#x0041;', 'AAA'],
    ['&#xe9;&#xE9;&#233;', 'ééé'],
    ['&#x10FFFF;', '\u{10FFFF}'],
  ])('the XML parser reads the character references %s', (text, expected) => {
    expect(parseXml(`<a><b>${text}</b></a>`)).toEqual(element('a', [element('b', expected)]));
  });

  test.each([
    '&#;',
    '&#x;',
    '&#1e3;',
    '&#xg;',
    '&# 65;',
    '&#x110000;',
    '&#xD800;',
    '&#0x41;',
    '&x41;',
  ])('the XML parser refuses the invalid character reference %s', (text) => {
    expect(() => parseXml(`<a><b>${text}</b></a>`)).toThrow(/entity/);
  });

  test('the XML parser reads 20 levels, comments, CDATA sections, character references and processing instructions', () => {
    expect(parseXml('<a>'.repeat(20) + '</a>'.repeat(20)).name).toBe('a');
    expect(
      parseXml('<?xml version="1.0"?><?x y?><a><!-- c --><b><![CDATA[<&]]>&#65;&#x42;&lt;</b></a>'),
    ).toEqual(element('a', [element('b', '<&AB<')]));
  });
});

describe('XML schemas', () => {
  test('an XML schema accepts elements in any order and with namespace prefixes, and ignores unknown elements', () => {
    const xml =
      '<s:Order xmlns:s="urn:x"><s:Item>1</s:Item><s:New/><s:Count>2</s:Count><s:Item> 2 </s:Item><s:Name>n</s:Name></s:Order>';
    expect(order.read(xml)).toEqual({ name: 'n', count: 2, items: ['1', ' 2 '] });
  });

  test.each([
    ['a duplicate element that must be single', '<Order><Name>a</Name><Name>b</Name></Order>'],
    ['a missing element', '<Order><Count>1</Count></Order>'],
    ['a value of the wrong type', '<Order><Name>a</Name><Count>-1</Count></Order>'],
    ['elements in place of text', '<Order><Name><b/></Name></Order>'],
    ['text in place of elements', '<Order>text</Order>'],
    ['another root element', '<Other><Name>a</Name></Other>'],
  ])('a schema refuses a document with %s', (_, xml) => {
    expect(() => order.read(xml)).toThrow(expect.objectContaining({ code: 'MalformedXML' }));
  });

  test('the XML writer escapes all special characters in text', () => {
    const written = order.write({ name: `<&>"'\u0001\r\n`, items: [] }, 'urn:"x');
    expect(written).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Order xmlns="urn:&quot;x"><Name>&lt;&amp;&gt;&quot;&apos;&#x1;&#xD;&#xA;</Name></Order>`,
    );
  });
});
