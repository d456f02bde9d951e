import { describe, expect, test } from 'vitest';

import { proxyFor } from '../../../src/client/proxy.ts';

const URL_OF_PROXY = 'http://proxy.example:3128';
const found = (endpoint: string, environment: Record<string, string>, setting?: string) =>
  proxyFor(new URL(endpoint), setting, environment)?.url.origin;

describe('the proxy for an endpoint', () => {
  test.for([
    ['http://one.example', { http_proxy: URL_OF_PROXY }, URL_OF_PROXY],
    ['http://one.example', { HTTP_PROXY: URL_OF_PROXY }, URL_OF_PROXY],
    ['http://one.example', { https_proxy: URL_OF_PROXY }, undefined],
    ['https://one.example', { HTTPS_PROXY: URL_OF_PROXY }, URL_OF_PROXY],
    ['https://one.example', { HTTPS_PROXY: URL_OF_PROXY, https_proxy: 'http://b' }, 'http://b'],
    ['https://one.example', { HTTPS_PROXY: URL_OF_PROXY, https_proxy: '' }, undefined],
    ['https://one.example', { all_proxy: URL_OF_PROXY }, URL_OF_PROXY],
    ['https://one.example', { https_proxy: 'proxy.example:3128' }, URL_OF_PROXY],
    ['https://one.example', {}, undefined],
    ['http://127.0.0.1:9010', { http_proxy: URL_OF_PROXY }, undefined],
    ['http://[::1]:9010', { all_proxy: URL_OF_PROXY }, undefined],
    ['https://localhost', { https_proxy: URL_OF_PROXY }, undefined],
  ] as const)(
    'the client chooses for %s with the environment %j the proxy %s',
    ([endpoint, environment, proxy]) => {
      expect(found(endpoint, environment)).toBe(proxy);
    },
  );

  test.for([
    ['one.example', '*', true],
    ['one.example', 'other.example, one.example', true],
    ['one.example', 'other.example one.example.', true],
    ['one.example', 'ONE.example', true],
    ['s.one.example', 'one.example', true],
    ['s.one.example', '.one.example', true],
    ['one.example', 's.one.example', false],
    ['someone.example', 'one.example', false],
    ['one.example', '', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['10.1.2.3', '10.0.0.0/99', false],
    ['10.1.2.3', '1.2.3', false],
    ['[fd00::1]', 'fd00::/8', true],
    ['[fd00::1]', '[fd00::1]', true],
    ['[fd00::1]', '10.0.0.0/8', false],
  ] as const)(
    'the client decides whether no_proxy bypasses the proxy for the endpoint %s: no_proxy %j, result %s',
    ([host, noProxy, excepted]) => {
      const proxy = found(`https://${host}`, { https_proxy: URL_OF_PROXY, no_proxy: noProxy });
      expect(proxy === undefined).toBe(excepted);
    },
  );

  test('the client prefers the proxy setting of a target to the environment, even for localhost', () => {
    expect(found('https://one.example', { https_proxy: 'http://b' }, URL_OF_PROXY)).toBe(
      URL_OF_PROXY,
    );
    expect(found('http://127.0.0.1', {}, URL_OF_PROXY)).toBe(URL_OF_PROXY);
    expect(found('https://one.example', { https_proxy: URL_OF_PROXY }, 'none')).toBeUndefined();
  });

  test('the client reads and decodes the proxy credentials in the proxy URL', () => {
    const environment = { https_proxy: 'http://ada:pass%40word@proxy.example' };
    const proxy = proxyFor(new URL('https://one.example'), undefined, environment);
    expect(proxy).toEqual({
      url: new URL('http://proxy.example'),
      credentials: 'ada:pass@word',
    });
  });

  test.for([
    'socks5://secret@proxy.example',
    'http://',
    'ftp://secret@proxy',
    'http://secret%zz@proxy',
  ])('the client refuses the invalid proxy URL %s without quoting it', (text) => {
    const look = () => proxyFor(new URL('https://one.example'), undefined, { ALL_PROXY: text });
    expect(look).toThrow(TypeError);
    expect(look).not.toThrow(/secret/);
  });
});

test('the client states in the error for an invalid proxy whether it is from the configuration or the environment', () => {
  const endpoint = new URL('https://storage.example');
  expect(() => proxyFor(endpoint, 'socks://a', {})).toThrow('the proxy setting must be http://');
  expect(() => proxyFor(endpoint, undefined, { https_proxy: 'socks://a' })).toThrow(
    'the proxy of the environment must be http://',
  );
});
