/** Tests that text from a visitor cannot break the headers and pages of a website. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { locationOf, ownLocation } from '../../../src/gateway/website/location.ts';
import { errorPage } from '../../../src/gateway/website/page.ts';

const ORIGIN = { protocol: 'http', host: 'pages.localhost:9012' } as const;
const HEADER = /^[\x21-\x7e]*$/;

/** Text with parts that could redirect a browser to another host. */
const hostile = fc.array(
  fc.oneof(
    fc.constantFrom('/', '//', '\\', '.', '..', ':', '@', '?', '#', '%', '\r\n', '\t', 'evil.test'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  ),
  { maxLength: 8 },
);
const path = hostile.map((parts) => parts.join('').toWellFormed());

describe('website redirects and error pages', () => {
  test('[web-32] the path that a visitor requests cannot redirect the visitor to another host', () => {
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

  test('[web-32] a redirect rule that replaces a prefix cannot redirect a visitor to another host', () => {
    fc.assert(
      fc.property(path, path, (replacement, typed) => {
        const location = locationOf({ status: 301, replacement, path: typed }, ORIGIN);
        expect(location).toMatch(HEADER);
        expect(new URL(location, 'http://pages.localhost:9012/').host).toBe(ORIGIN.host);
      }),
    );
  });

  test('[web-12] the gateway redirects an object to a path on the same host, in a one-line Location header', () => {
    fc.assert(
      fc.property(path, (typed) => {
        const location = ownLocation(`/${typed}`);
        expect(location).toMatch(HEADER);
        // `location` contains no line feeds or tabs, because browsers would drop them when they
        // parse the URL.
        expect(new URL(location, 'http://pages.localhost:9012/a').host).toBe(ORIGIN.host);
      }),
    );
  });
});

test('[web-25] the gateway escapes all text in the standard error page', () => {
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
