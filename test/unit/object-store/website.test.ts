import { describe, expect, test } from 'vitest';

import {
  checkWebsite,
  folderIndexKey,
  folderRedirect,
  redirectOf,
  redirectOfError,
  shownKey,
} from '../../../src/object-store/rules/website.ts';
import type {
  RoutingCondition,
  RoutingRedirect,
  WebsiteConfiguration,
} from '../../../src/object-store/website.ts';
import { refusal } from './refusal.ts';

const index = { indexSuffix: 'index.html' };
const ruled = (redirect: object, condition?: object): unknown => ({
  ...index,
  routingRules: [{ redirect, ...(condition && { condition }) }],
});
const many = (count: number) =>
  Array.from({ length: count }, () => ({ redirect: { hostName: 'a' } }));

describe('validation of website configurations', () => {
  test.each<[string, unknown, string | undefined]>([
    ['[web-4] a website with an index document is accepted', index, undefined],
    ['[web-4] an empty website configuration is refused', {}, 'InvalidArgument'],
    [
      '[web-4] a website with an error document but no index document is refused',
      { errorKey: 'e' },
      'InvalidArgument',
    ],
    ['[web-4] an empty index suffix is refused', { indexSuffix: '' }, 'InvalidArgument'],
    ['[web-4] an index suffix with a slash is refused', { indexSuffix: 'a/b' }, 'InvalidArgument'],
    [
      '[web-4] an index suffix of 1025 bytes is refused',
      { indexSuffix: 'x'.repeat(1025) },
      'KeyTooLongError',
    ],
    [
      '[web-5] a website with an error document is accepted',
      { ...index, errorKey: 'errors/404.html' },
      undefined,
    ],
    [
      '[web-5] an error document with an empty key is refused',
      { ...index, errorKey: '' },
      'InvalidArgument',
    ],
    [
      '[web-6] a website that redirects all requests is accepted',
      { redirectAll: { hostName: 'a.test' } },
      undefined,
    ],
    [
      '[web-6] a redirect of all requests to an HTTPS port is accepted',
      { redirectAll: { hostName: 'a.test:8443', protocol: 'https' } },
      undefined,
    ],
    [
      '[web-6] a redirect of all requests to an IPv6 address is accepted',
      { redirectAll: { hostName: '[::1]:8080' } },
      undefined,
    ],
    [
      '[web-6] a redirect of all requests together with an index document is refused',
      { redirectAll: { hostName: 'a.test' }, ...index },
      'InvalidRequest',
    ],
    [
      '[web-6] a redirect of all requests together with an error document is refused',
      { redirectAll: { hostName: 'a' }, errorKey: 'e' },
      'InvalidRequest',
    ],
    [
      '[web-6] a redirect of all requests together with routing rules is refused',
      { redirectAll: { hostName: 'a' }, routingRules: many(1) },
      'InvalidRequest',
    ],
    [
      '[web-6] a redirect of all requests to the protocol ftp is refused',
      { redirectAll: { hostName: 'a', protocol: 'ftp' } },
      'InvalidRequest',
    ],
    ['[web-7] 50 routing rules are accepted', { ...index, routingRules: many(50) }, undefined],
    [
      '[web-7] 51 routing rules are refused',
      { ...index, routingRules: many(51) },
      'InvalidRequest',
    ],
    [
      '[web-7] an empty list of routing rules is refused',
      { ...index, routingRules: [] },
      'MalformedXML',
    ],
    ['[web-8] a routing rule with an empty redirect is refused', ruled({}), 'InvalidRequest'],
    ['[web-8] a routing rule without a condition is accepted', ruled({ hostName: 'a' }), undefined],
    [
      '[web-8] a routing rule with an empty condition is refused',
      ruled({ hostName: 'a' }, {}),
      'InvalidRequest',
    ],
    [
      '[web-8] a routing rule with an empty key prefix is accepted',
      ruled({ hostName: 'a' }, { keyPrefix: '' }),
      undefined,
    ],
    [
      '[web-8] a routing rule that replaces both key and prefix is refused',
      ruled({ replaceKeyWith: 'a', replaceKeyPrefixWith: 'b' }),
      'InvalidRequest',
    ],
    [
      '[web-8] a routing rule with an empty replacement key is accepted',
      ruled({ replaceKeyWith: '' }),
      undefined,
    ],
    [
      '[web-8] a routing rule with a replacement key of 1025 bytes is refused',
      ruled({ replaceKeyWith: 'x'.repeat(1025) }),
      'InvalidArgument',
    ],
    ...[400, 404, 599].map(
      (errorStatus) =>
        [
          `[web-9] a routing rule for the error ${errorStatus} is accepted`,
          ruled({ hostName: 'a' }, { errorStatus }),
          undefined,
        ] as [string, unknown, undefined],
    ),
    ...[200, 302, 399, 600, 404.5].map(
      (errorStatus) =>
        [
          `[web-9] a routing rule for the error ${errorStatus} is refused`,
          ruled({ hostName: 'a' }, { errorStatus }),
          'InvalidRequest',
        ] as [string, unknown, string],
    ),
    ...[301, 302, 303, 307, 308].map(
      (status) =>
        [
          `[web-10] a routing rule with the redirect status ${status} is accepted`,
          ruled({ status }),
          undefined,
        ] as [string, unknown, undefined],
    ),
    ...[200, 300, 304, 305, 399, 404].map(
      (status) =>
        [
          `[web-10] a routing rule with the redirect status ${status} is refused`,
          ruled({ status }),
          'InvalidRequest',
        ] as [string, unknown, string],
    ),
  ])('%s: %#', (_, website, code) => {
    expect(refusal(() => checkWebsite(website as WebsiteConfiguration))?.code).toBe(code);
  });

  test.each([
    '',
    'a b',
    'a/b',
    'user@a.test',
    'http://a.test',
    'a.test:port',
    'a.test:123456',
    '-a',
    'a\r\nX: y',
    'ä.test',
    '[a]',
  ])('[web-11] the store refuses %j as the host of a website redirect', (hostName) => {
    for (const website of [{ redirectAll: { hostName } }, ruled({ hostName })]) {
      expect(refusal(() => checkWebsite(website as WebsiteConfiguration))?.code).toBe(
        'InvalidArgument',
      );
    }
  });

  test.each(['\r', '\n', '\0', '\x7f'])(
    '[web-12] the store refuses a website configuration with the control character %j',
    (character) => {
      const text = `a${character}X: y`;
      for (const member of ['replaceKeyWith', 'replaceKeyPrefixWith']) {
        const website = ruled({ [member]: text }) as WebsiteConfiguration;
        expect(refusal(() => checkWebsite(website))?.code).toBe('InvalidArgument');
      }
      const website = ruled({ hostName: 'a' }, { keyPrefix: text }) as WebsiteConfiguration;
      expect(refusal(() => checkWebsite(website))?.code).toBe('InvalidArgument');
    },
  );
});

describe('resolution of website paths', () => {
  test.each([
    ['', 'index.html', undefined],
    ['docs/', 'docs/index.html', undefined],
    ['docs', 'docs', 'docs/index.html'],
    ['a/b.html', 'a/b.html', 'a/b.html/index.html'],
    ['/', '/index.html', undefined],
    ['../a/', '../a/index.html', undefined],
  ])(
    '[web-13] the store maps the website path %j to the key %j, or to %j if it is a folder without its slash',
    (path, key, folderIndex) => {
      expect(shownKey(index, path)).toBe(key);
      expect(folderIndexKey(index, path)).toBe(folderIndex);
    },
  );

  test('[web-14] the store redirects a website folder requested without its slash with 302 to the path with a slash', () => {
    expect(folderRedirect('a/docs')).toEqual({ status: 302, path: 'a/docs/' });
  });

  test.each(['', 'a', 'a/b/'])(
    '[web-6] the store redirects the path %j with 301 if the website redirects all requests',
    (path) => {
      const redirectAll = { hostName: 'www.test', protocol: 'https' } as const;
      expect(redirectOf({ redirectAll }, path)).toEqual({ status: 301, path, ...redirectAll });
    },
  );

  const routed = (redirect: RoutingRedirect, condition?: RoutingCondition) =>
    ruled(redirect, condition) as WebsiteConfiguration;

  test.each<[string, WebsiteConfiguration, string, object | undefined]>([
    [
      'replaces a matching prefix',
      routed({ replaceKeyPrefixWith: 'documents/' }, { keyPrefix: 'docs/' }),
      'docs/a b',
      { status: 301, replacement: 'documents/', path: 'a b' },
    ],
    [
      'does not apply to a path with another prefix',
      routed({ replaceKeyPrefixWith: 'documents/' }, { keyPrefix: 'docs/' }),
      'doc',
      undefined,
    ],
    [
      'with an empty replacement removes a matching prefix',
      routed({ replaceKeyPrefixWith: '' }, { keyPrefix: 'docs/' }),
      'docs/a',
      { status: 301, replacement: '', path: 'a' },
    ],
    [
      'with a replacement key redirects to that key',
      routed({ replaceKeyWith: 'x.html', status: 307 }, { keyPrefix: 'docs/' }),
      'docs/a',
      { status: 307, replacement: 'x.html', path: '' },
    ],
    [
      'can redirect to another host',
      routed({ hostName: 'b.test', protocol: 'https' }, { keyPrefix: 'a' }),
      'ab',
      { status: 301, path: 'ab', hostName: 'b.test', protocol: 'https' },
    ],
    [
      'without a condition applies to every path',
      routed({ hostName: 'b.test' }),
      '',
      { status: 301, path: '', hostName: 'b.test' },
    ],
    [
      'with an error condition does not apply before an error',
      routed({ hostName: 'b.test' }, { keyPrefix: '', errorStatus: 404 }),
      'a',
      undefined,
    ],
  ])('[web-15] a routing rule %s', (_, website, path, expected) => {
    expect(redirectOf(website, path)).toEqual(expected);
  });

  test.each<[string, RoutingCondition | undefined, boolean]>([
    ['for the status 404 applies to a 404 error', { errorStatus: 404 }, true],
    ['for the status 403 does not apply to a 404 error', { errorStatus: 403 }, false],
    [
      'for the status 404 and a matching prefix applies to a 404 error',
      { errorStatus: 404, keyPrefix: 'docs/' },
      true,
    ],
    [
      'for the status 404 and another prefix does not apply to a 404 error',
      { errorStatus: 404, keyPrefix: 'img/' },
      false,
    ],
    [
      'for a matching prefix without a status does not apply to a 404 error',
      { keyPrefix: 'docs/' },
      false,
    ],
    ['without a condition does not apply to a 404 error', undefined, false],
  ])('[web-16] a routing rule %s', (_, condition, matches) => {
    const website = routed({ replaceKeyPrefixWith: 'report-404/' }, condition);
    const prefix = condition?.keyPrefix ?? '';
    const expected = {
      status: 301,
      replacement: 'report-404/',
      path: 'docs/a'.slice(prefix.length),
    };
    expect(redirectOfError(website, 'docs/a', 404)).toEqual(matches ? expected : undefined);
  });

  test('[web-17] the store applies the first routing rule of a website that matches a path', () => {
    const rules = [
      { condition: { keyPrefix: 'a/b/' }, redirect: { replaceKeyWith: '1' } },
      { condition: { keyPrefix: 'a/', errorStatus: 404 }, redirect: { replaceKeyWith: '2' } },
      { condition: { keyPrefix: 'a/' }, redirect: { replaceKeyWith: '3' } },
      { condition: { errorStatus: 404 }, redirect: { replaceKeyWith: '4' } },
    ];
    const website = { ...index, routingRules: rules };
    expect(['a/b/c', 'a/c', 'b'].map((path) => redirectOf(website, path)?.replacement)).toEqual([
      '1',
      '3',
      undefined,
    ]);
    expect(['a/b/c', 'b'].map((path) => redirectOfError(website, path, 404)?.replacement)).toEqual([
      '2',
      '4',
    ]);
  });
});
