/**
 * Tests that the fast parser of plain XML returns the same result as the general parser for any
 * text.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { amzDialect } from '../../../src/protocol/dialect.ts';
import { decodeResponse, encodeResponse } from '../../../src/protocol/operations.ts';
import { element, writeXml, type XmlElement } from '../../../src/protocol/xml/element.ts';
import { parseXml } from '../../../src/protocol/xml/parse.ts';
import { parsePlainXml } from '../../../src/protocol/xml/plain.ts';

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

function outcome(text: string): unknown {
  try {
    return parseXml(text);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/**
 * Returns the result of the general parser. It adds a comment to the text, which the fast parser
 * does not support.
 */
const generalOutcome = (text: string) => outcome(`${text}<!-- -->`);

const isPlain = (text: string) =>
  parsePlainXml(text, { maxDepth: 20, decode: (leaf) => leaf }) !== undefined;

const name = fc.constantFrom('Contents', 'Key', 'ETag', 'Owner', 'ID', 'A');
const words = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\t', '&', '<', '>', '"', "'", 'é', '\u0001'),
  }),
  fc.string({ unit: 'grapheme' }),
);
const { tree } = fc.letrec<{ tree: XmlElement }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(name, words).map(([each, text]) => element(each, text)),
    fc
      .tuple(name, fc.array(tie('tree'), { maxLength: 4 }))
      .map(([each, all]) => element(each, all)),
  ),
}));
const root = fc
  .array(tree, { minLength: 1, maxLength: 5 })
  .map((all) => writeXml(element('ListBucketResult', all), NAMESPACE));

/** Strings that may occur in XML or that break it. */
const snippet = fc.constantFrom(
  ...'</>&;" \n\r\tx\u0000'.split(''),
  ...'&amp; &lt; &#65; &#x0; &#X41; &nope; &amp <!--c--> <![CDATA[<x>]]> ]]> <?pi?> <!DOCTYPE'.split(
    ' ',
  ),
  ...'<A/> <A> </A> <a:A> </Key> <Key> <Key/> <__proto__> <constructor/> <prototype/>'.split(' '),
  '<A b="c">',
  '<A b=\'c\' d:e = "f" >',
  '<n:Key>',
  '</n:Key>',
  '<Key><![CDATA[<x>&]]></Key>',
  '<Key><![CDATA[x]]></Key',
  '<![CDATA[',
  '\r\n',
);

describe('the fast XML parser', () => {
  test('the fast XML parser reads the output of the XML writer and agrees with the general parser', () => {
    fc.assert(
      fc.property(root, (text) => {
        expect(isPlain(text)).toBe(!text.includes('\r'));
        expect(outcome(text)).toEqual(generalOutcome(text));
      }),
      { numRuns: 500 },
    );
  });

  test('the fast XML parser agrees with the general parser on damaged XML', () => {
    const damage = fc.array(
      fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(3), put: snippet }),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(root, damage, (text, damages) => {
        const damaged = damages.reduce((whole, { at, cut, put }) => {
          const position = Math.floor(at * whole.length);
          return whole.slice(0, position) + put + whole.slice(position + cut);
        }, text);
        // If the fast parser does not support the text, the general parser reads it in both cases.
        if (isPlain(damaged)) expect(outcome(damaged)).toEqual(generalOutcome(damaged));
      }),
      { numRuns: 3_000 },
    );
  });

  test.for([
    '',
    '<',
    '<A',
    '<A>',
    '<A/>',
    '<A></A>',
    '<A></A>x',
    '<A><B></A></B>',
    '<A><prototype>x</prototype></A>',
    '<A><toString>x</toString></A>',
    '<A><hasOwnProperty/></A>',
    '<valueOf>x</valueOf>',
    ' <A><B/></A> ',
  ])('the fast XML parser agrees with the general parser on %j', (text) => {
    expect(outcome(text)).toEqual(generalOutcome(text));
  });

  test.for([18, 19, 20, 21, 22, 23, 100, 10_000])(
    'the fast XML parser agrees with the general parser on %i nested elements',
    (levels) => {
      const deep = `${'<A>'.repeat(levels)}x${'</A>'.repeat(levels)}`;
      expect(outcome(deep)).toEqual(generalOutcome(deep));
    },
  );
});

test('the fast XML parser reads a text that ends inside a tag only once', () => {
  let leaves = 0;
  const decode = (leaf: string) => {
    leaves += 1;
    return leaf;
  };
  const truncated = `<All>${'<Key>x</Key>'.repeat(100)}<Ke`;
  expect(parsePlainXml(truncated, { maxDepth: 20, decode })).toBeUndefined();
  expect(leaves).toBe(100);
});

test('the fast XML parser agrees with the general parser on every page of a listing', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const object = fc.record(
    {
      key: text,
      sizeBytes: fc.nat(),
      etag: fc.stringMatching(/^[0-9a-f]{32}$/),
      lastModifiedAt: fc.integer({ min: 0, max: 4e12 }),
      owner: text,
    },
    { requiredKeys: ['key', 'sizeBytes', 'etag', 'lastModifiedAt'] },
  );
  const page = fc.record(
    {
      objects: fc.array(object, { maxLength: 20 }),
      commonPrefixes: fc.array(text, { maxLength: 5 }),
      nextToken: text,
    },
    { requiredKeys: ['objects', 'commonPrefixes'] },
  );
  fc.assert(
    fc.property(page, fc.boolean(), (output, encodes) => {
      const input = { bucket: 'bucket', ...(encodes && { encodingType: 'url' as const }) };
      const { body = '', ...answer } = encodeResponse(
        'ListObjectsV2',
        { input, output },
        amzDialect,
      );
      const read = (xml: string) =>
        decodeResponse('ListObjectsV2', { ...answer, body: xml }, amzDialect);
      expect(isPlain(body) || body.includes('\r')).toBe(true);
      expect(read(body)).toEqual(read(`${body}<!-- -->`));
    }),
    { numRuns: 300 },
  );
});
