/**
 * Tests of HeadObject over HTTP. Its response equals the response of GetObject without the body.
 */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const HELLO = '"5d41402abc4b2a76b9719d911017c592"';
const OTHER = '"00000000000000000000000000000000"';
const NOW = 'Sat, 21 Nov 2026 12:00:00 GMT';
const BEFORE = 'Sat, 21 Nov 2026 11:59:59 GMT';

inBothDialects(new WireBench(), (wire) => {
  test('[svc-3] HeadObject returns the Content-Length of the object, and no body', async () => {
    await wire.put('a', 'hello');
    expect(await wire.ask('HEAD /{box}/a')).toEqual({
      status: 200,
      headers: {
        etag: HELLO,
        'content-length': '5',
        'last-modified': NOW,
        'content-type': 'binary/octet-stream',
        'accept-ranges': 'bytes',
        'x-rgw-object-type': 'Normal',
      },
      body: '',
    });
  });

  test.each([
    ['GET', {}],
    ['GET', { range: 'bytes=1-2' }],
    ['GET', { range: 'bytes=-9' }],
    ['GET', { 'if-none-match': HELLO }],
    ['GET', { 'x-*-checksum-mode': 'ENABLED' }],
  ])('HeadObject returns the same headers as a %s with the headers %o', async (_, headers) => {
    await wire.box({ objectLockEnabled: true });
    const retention = { mode: 'GOVERNANCE', retainUntil: Date.UTC(2027, 0, 1) } as const;
    const attributes = { contentType: 'text/plain', metadata: { colour: 'grün' } };
    await wire.put('a', 'hello', { attributes, lock: { retention, legalHold: true } });
    const { status, headers: got } = await wire.ask('GET /{box}/a', { headers });
    expect(await wire.ask('HEAD /{box}/a', { headers })).toEqual({
      status,
      headers: got,
      body: '',
    });
  });

  test('the response to HEAD has no body, whatever its status, and the connection stays usable', async () => {
    await wire.put('a', 'hello');
    const socket = wire.bench.connect();
    const send = (line: string, headers = {}) =>
      wire.bench.send(wire.dialect, wire.request(line, { headers }), socket);
    expect((await send('HEAD /{box}/a')).status).toBe(200);
    expect((await send('HEAD /{box}/none')).status).toBe(404);
    expect((await send('HEAD /{box}/a', { range: 'bytes=9-' })).status).toBe(416);
    expect((await send('GET /{box}/a')).text()).toBe('hello');
  });

  test.each([
    [{ 'if-match': HELLO }, 200],
    [{ 'if-match': OTHER }, 412],
    [{ 'if-unmodified-since': BEFORE }, 412],
    [{ 'if-none-match': HELLO }, 304],
    [{ 'if-modified-since': NOW }, 304],
    [{ 'if-modified-since': BEFORE }, 200],
    [{ range: 'bytes=1-3' }, 206],
    [{ range: 'bytes=9-' }, 416],
  ])('a HEAD with the conditions %o returns %i', async (headers, status) => {
    await wire.put('a', 'hello');
    expect((await wire.send('HEAD /{box}/a', { headers })).status).toBe(status);
  });

  test('another user of the project can send HEAD for an object', async () => {
    await wire.put('a', 'hello');
    expect((await wire.send('HEAD /{box}/a', { as: colleague })).status).toBe(200);
  });

  refusesStrangers(wire, 'HEAD /{box}/a');

  test('[op-9] HeadObject returns the same ids of versions and delete markers as GetObject', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'hello', { name: 'v1' });
    expect((await wire.ask('HEAD /{box}/a')).headers['x-*-version-id']).toBe('{v1}');
    const { versionId } = await wire.store.deleteObject({ bucket: wire.get('box'), key: 'a' });
    wire.name('marker', versionId);
    expect((await wire.ask('HEAD /{box}/a?versionId={v1}')).status).toBe(200);
    const returned = {
      'content-type': 'application/xml',
      'x-*-delete-marker': 'true',
      'x-*-version-id': '{marker}',
    };
    expect(await wire.ask('HEAD /{box}/a')).toEqual({ status: 404, headers: returned, body: '' });
    expect(await wire.ask('HEAD /{box}/a?versionId={marker}')).toEqual({
      status: 405,
      headers: { ...returned, 'last-modified': NOW, allow: 'DELETE' },
      body: '',
    });
  });

  wire.refuses([
    ['a key that does not exist', 'HEAD /{box}/none', {}, { status: 404 }],
    ['a null version that does not exist', 'HEAD /{box}/none?versionId=null', {}, { status: 404 }],
    ['an empty version id', 'HEAD /{box}/a?versionId=', {}, { status: 400 }],
    ['an unsupported subresource', 'HEAD /{box}/a?torrent', {}, { status: 501 }],
    ['a key of 1,025 bytes', `HEAD /{box}/${'k'.repeat(1025)}`, {}, { status: 400 }],
  ]);
});
