/** Tests that the text of a visitor cannot break the headers and pages of a website. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { locationOf, ownLocation } from '../../../src/gateway/website/location.ts';
import { errorPage } from '../../../src/gateway/website/page.ts';

const ORIGIN = { protocol: 'http', host: 'pages.localhost:9012' } as const;
const HEADER = /^[\x21-\x7e]*$/;

/** Text with parts that could redirect to another host. */
const hostile = fc.array(
  fc.oneof(
    fc.constantFrom('/', '//', '\\', '.', '..', ':', '@', '?', '#', '%', '\r\n', '\t', 'evil.test'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  ),
  { maxLength: 8 },
);
const path = hostile.map((parts) => parts.join('').toWellFormed());

describe('a redirect', () => {
  test('[web-32] a website redirect to a path that a visitor requested stays on the same host', () => {
    fc.assert(
      fc.property(path, (typed) => {
        const location = locationOf({ status: 302, path: typed }, ORIGIN);
        expect(location).toMatch(HEADER);
        const target = new URL(location, 'http://pages.localhost:9012/a/b');
        expect(target.host).toBe(ORIGIN.host);
        expect([target.search, target.hash]).toEqual(['', '']);
      }),
    );
  });

  test('[web-32] a website redirect by a rule that removes a prefix stays on the same host', () => {
    fc.assert(
      fc.property(path, path, (replacement, typed) => {
        const location = locationOf({ status: 301, replacement, path: typed }, ORIGIN);
        expect(location).toMatch(HEADER);
        expect(new URL(location, 'http://pages.localhost:9012/').host).toBe(ORIGIN.host);
      }),
    );
  });

  test('[web-12] a website redirect of an object to a path is one line and stays on the same host', () => {
    fc.assert(
      fc.property(path, (typed) => {
        const location = ownLocation(`/${typed}`);
        expect(location).toMatch(HEADER);
        // `location` has no line feeds or tabs, which browsers would drop when they parse it.
        expect(new URL(location, 'http://pages.localhost:9012/a').host).toBe(ORIGIN.host);
      }),
    );
  });
});

test('[web-25] the standard error page escapes all text, so that none becomes markup', () => {
  const TAGS = /<\/?(?:html|head|title|body|h1|h3|ul|li)>|<!DOCTYPE html>/g;
  fc.assert(
    fc.property(path, fc.string({ unit: 'binary' }), (typed, more) => {
      const page = errorPage({
        status: 404,
        facts: [['Key', `<b>${typed}`]],
        errorDocument: [['Message', `"'><script>${more}`]],
      });
      const text = page.replaceAll(TAGS, '');
      expect(text).not.toMatch(/[<>"']/);
      expect(text).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
    }),
  );
});
