/**
 * Tests that each operation with an XML or JSON request body rejects invalid bodies with a protocol error and changes
 * nothing.
 *
 * The tests derive the invalid bodies from a valid body. They fail for a new operation without a valid body, and for an
 * element without a list of invalid values.
 */

import { createHash } from 'node:crypto';

import { beforeEach, describe, expect, test } from 'vitest';

import { sendUnsigned } from '../helpers/strangers.ts';
import {
  BAD_VALUES,
  prepareDocuments,
  validDocuments,
  type ValidDocument,
} from '../helpers/valid-documents.ts';
import { WireBench } from '../helpers/wire-bench.ts';
import { inBothDialects, type Given } from '../helpers/wire.ts';

/** Description of an invalid request body, and the body. */
type Bad = readonly [claim: string, body: string | Uint8Array];

inBothDialects(new WireBench(), (wire) => {
  beforeEach(() => prepareDocuments(wire));

  const given = (document: string | Uint8Array): Given => {
    const body = typeof document === 'string' ? wire.fill(document) : document;
    const digest = createHash('md5').update(body).digest('base64');
    return { body, headers: { 'content-md5': digest } };
  };
  const stored = async () => [await wire.store.listBuckets(), await wire.content()];

  /**
   * Sends the request bodies and expects that none of them changes anything. Returns the status and error code of each
   * response.
   */
  async function refusals({ line }: ValidDocument, documents: readonly Bad[]) {
    const before = await stored();
    const returned: [claim: string, outcome: string][] = [];
    for (const [claim, body] of documents) {
      const answer = await wire.send(line, given(body));
      returned.push([claim, `${answer.status} ${/<Code>(\w+)</.exec(answer.text())?.[1]}`]);
    }
    expect(await stored()).toEqual(before);
    return returned;
  }

  describe.each(validDocuments())('invalid request bodies of %s', (name, document) => {
    const { line, body, malformed = 'MalformedXML', invalid = [] } = document;
    const { repeated = {}, many = [], passesOver = [] } = document;
    const isXml = body.startsWith('<');
    const allAre = (outcome: string) => (documents: readonly Bad[]) =>
      documents.map(([claim]) => [claim, outcome]);
    const allMalformed = allAre(`400 ${malformed}`);

    test('the service accepts a valid request body, even with unknown elements where the protocol ignores them', async () => {
      const odd = passesOver.reduce(withUnknown, body);
      for (const each of [odd, body]) {
        await prepareDocuments(wire);
        const answer = await wire.send(line, given(each));
        expect([answer.text(), Math.floor(answer.status / 100)]).toEqual([expect.any(String), 2]);
      }
    });

    test('the service denies a valid request body from an anonymous caller', async () => {
      const before = await stored();
      const answer = await sendUnsigned(wire, line, given(body));
      expect(answer.text()).toContain('<Code>AccessDenied</Code>');
      expect(await stored()).toEqual(before);
    });

    test('[bad-1] [bad-2] the service rejects a malformed request body and a body with an unexpected root element', async () => {
      const bad = [...damaged(body), ...(isXml ? otherXml(body) : [])];
      expect(await refusals(document, bad)).toEqual(allMalformed(bad));
    });

    test('[bad-3] the service rejects a request body with an unknown element, except where the protocol ignores it', async () => {
      const bad = isXml
        ? parents(body)
            .filter((parent) => !passesOver.includes(parent))
            .map((parent): Bad => [parent, withUnknown(body, parent)])
        : [['a member', body.replace('{', '{"Unknown":1,')] as const];
      expect(await refusals(document, bad)).toEqual(allMalformed(bad));
    });

    test.each(Object.entries(repeated))(
      '[bad-6] the service rejects a request body that exceeds the maximum number of %s elements by one',
      async (element, { limit, element: make, code }) => {
        const every = Array.from({ length: limit + 1 }, (_, index) => make(index + 1)).join('');
        const all = new RegExp(`<${element}>.*</${element}>`, 's');
        const bad: Bad[] = [[`${limit + 1}`, body.replace(all, every)]];
        expect(await refusals(document, bad)).toEqual(allAre(`400 ${code}`)(bad));
      },
    );

    // Policies are JSON. test/wire/operations/put-bucket-policy.test.ts covers duplicate names in them.
    if (!isXml) return;

    test('[bad-4] the service rejects a request body that repeats an element which may occur only once', async () => {
      const single = [
        ...new Set([...body.matchAll(/(?<!^)<(\w+)>/g)].map(([, each = '']) => each)),
      ].filter((element) => !many.includes(element) && !(element in repeated));
      const bad = single.map((element): Bad => [element, twice(body, element)]);
      expect(await refusals(document, bad)).toEqual(allMalformed(bad));
    });

    test('[bad-5] the service rejects a request body with an invalid value in any of its elements', async () => {
      const bad = [...body.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].flatMap(([leaf, element = '']) => {
        const values = BAD_VALUES[`${name}/${element}`] ?? BAD_VALUES[element];
        if (values === undefined) throw new Error(`declare invalid values of ${element}`);
        return values.map((value): Bad => {
          return [`${leaf}: ${value}`, body.replace(leaf, `<${element}>${value}</${element}>`)];
        });
      });
      const codes = new Set([malformed, ...invalid]);
      const returned = await refusals(document, bad);
      expect(returned.filter(([, outcome]) => !codes.has(outcome.slice(4)))).toEqual([]);
    });
  });
});

function damaged(body: string): readonly Bad[] {
  return [
    ['plain text', 'hello'],
    ['the first half', body.slice(0, body.length / 2)],
    ['all but the last byte', body.slice(0, -1)],
    ['the document twice', body + body],
    ['invalid UTF-8', Buffer.from(body.replace(/^./, '$&\u00ff'), 'latin1')],
    ['a NUL', body.replace(/>(?=<)|:/, (each) => `${each}\0`)],
  ];
}

function otherXml(body: string): readonly Bad[] {
  const [, root = '', inside = ''] = /^<(\w+)>(.*)<\/\1>$/s.exec(body) ?? [];
  const entities = Array.from(
    { length: 20 },
    (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
  );
  return [
    ['only an end tag', `</${root}>`],
    ['another root', `<Other>${inside}</Other>`],
    ['a root element in lower case', body.replaceAll(root, root.toLowerCase())],
    ['a root element inside another element', `<Other>${body}</Other>`],
    ['text in place of elements', `<${root}>text</${root}>`],
    ['a document type declaration', `<!DOCTYPE ${root}>${body}`],
    [
      'entities that expand exponentially',
      `<!DOCTYPE a [<!ENTITY e0 "aaaaaaaaaa">${entities.join('')}]><${root}>&e20;</${root}>`,
    ],
    [
      'an external entity that names a file',
      `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><${root}>&e;</${root}>`,
    ],
    ['an undeclared entity', `<${root}>&e;</${root}>`],
    ['30 levels', '<a>'.repeat(30) + body + '</a>'.repeat(30)],
    ['20,000 levels', '<a>'.repeat(20_000)],
    ['200,000 elements', `<${root}>${'<a/>'.repeat(200_000)}</${root}>`],
    [
      'element names of JavaScript prototypes',
      '<__proto__><constructor>1</constructor></__proto__>',
    ],
  ];
}

/** Returns the names of the elements that contain other elements. */
function parents(body: string): readonly string[] {
  return [...new Set([...body.matchAll(/<(\w+)>(?=<)/g)].map(([, element = '']) => element))];
}

function withUnknown(body: string, parent: string): string {
  return body.replace(`<${parent}>`, `<${parent}><Unknown>1</Unknown>`);
}

function twice(body: string, element: string): string {
  return body.replace(new RegExp(`<${element}>.*?</${element}>`, 's'), (each) => each + each);
}
