/** Tests of DeleteObject over HTTP. */

import { expect, test } from 'vitest';
import { refusesStrangers } from '../../helpers/strangers.ts';
import { colleague, WireBench } from '../../helpers/wire-bench.ts';
import { inBothDialects } from '../../helpers/wire.ts';

const HELLO = '"5d41402abc4b2a76b9719d911017c592"';
const OTHER = '"00000000000000000000000000000000"';
const DONE = { status: 204, headers: {}, body: '' };

inBothDialects(new WireBench(), (wire) => {
  /**
   * Returns the version ids of the object, newest first. The id of a delete marker begins with `-`.
   */
  const versions = async () =>
    (await wire.store.listVersions({ bucket: wire.get('box') })).versions.map(
      ({ kind, versionId }) => (kind === 'version' ? versionId : `-${versionId}`),
    );

  test('[op-6] DeleteObject returns 204 without a body, even if the object does not exist', async () => {
    await wire.put('a', 'hello');
    expect(await wire.ask('DELETE /{box}/a')).toEqual(DONE);
    expect(await versions()).toEqual([]);
    expect(await wire.ask('DELETE /{box}/a')).toEqual(DONE);
    expect(await versions()).toEqual([]);
  });

  test('DeleteObject treats keys literally, and does not delete an object with a similar key', async () => {
    for (const key of ['a', 'a/', 'a//b', 'a/../b', 'b']) await wire.put(key, 'x');
    await wire.ask('DELETE /{box}/a/../b');
    await wire.ask('DELETE /{box}/a/');
    const { objects } = await wire.store.listObjects({ bucket: wire.get('box') });
    expect(objects.map(({ key }) => key)).toEqual(['a', 'a//b', 'b']);
  });

  refusesStrangers(wire, 'DELETE /{box}/a');

  test('[ver-5] DeleteObject in a versioned bucket adds a delete marker, even to a missing or deleted key', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'hello', { name: 'v1' });
    const first = await wire.send('DELETE /{box}/a');
    wire.name('m1', first.header(wire.spelt('x-*-version-id')));
    expect(wire.show('DELETE /', first)).toEqual({
      status: 204,
      headers: { 'x-*-version-id': '{m1}', 'x-*-delete-marker': 'true' },
      body: '',
    });
    const again = await wire.send('DELETE /{box}/a');
    wire.name('m2', again.header(wire.spelt('x-*-version-id')));
    expect(await versions()).toEqual(['-{m2}', '-{m1}', '{v1}'].map((id) => wire.fill(id)));
    const never = await wire.send('DELETE /{box}/never');
    expect(never.header(wire.spelt('x-*-delete-marker'))).toBe('true');
  });

  test('DeleteObject replaces the null version with a null delete marker while versioning is suspended', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'one', { name: 'v1' });
    await wire.versioning('Suspended');
    await wire.put('a', 'two');
    const marked = {
      ...DONE,
      headers: { 'x-*-version-id': 'null', 'x-*-delete-marker': 'true' },
    };
    expect(await wire.ask('DELETE /{box}/a')).toEqual(marked);
    expect(await wire.ask('DELETE /{box}/a')).toEqual(marked);
    expect(await versions()).toEqual(['-null', wire.get('v1')]);
  });

  test('[ver-11] [ver-6] DeleteObject with a version id removes a version or delete marker, and the previous one becomes current', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'one', { name: 'v1' });
    await wire.put('a', 'two', { name: 'v2' });
    const marker = await wire.send('DELETE /{box}/a');
    wire.name('m', marker.header(wire.spelt('x-*-version-id')));
    expect(await wire.ask('DELETE /{box}/a?versionId={m}')).toEqual({
      ...DONE,
      headers: { 'x-*-version-id': '{m}', 'x-*-delete-marker': 'true' },
    });
    expect((await wire.ask('GET /{box}/a')).body).toBe('two');
    expect(await wire.ask('DELETE /{box}/a?versionId={v2}')).toEqual({
      ...DONE,
      headers: { 'x-*-version-id': '{v2}' },
    });
    expect((await wire.ask('GET /{box}/a')).body).toBe('one');
  });

  test('DeleteObject of an already removed version returns 204', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'one', { name: 'v1' });
    await wire.ask('DELETE /{box}/a?versionId={v1}');
    const again = await wire.ask('DELETE /{box}/a?versionId={v1}');
    expect(again).toEqual({ ...DONE, headers: { 'x-*-version-id': '{v1}' } });
  });

  test('[op-7] DeleteObject with the version id null removes the null version, with and without versioning', async () => {
    await wire.put('a', 'zero');
    const gone = { ...DONE, headers: { 'x-*-version-id': 'null' } };
    expect(await wire.ask('DELETE /{box}/a?versionId=null')).toEqual(gone);
    expect(await wire.ask('DELETE /{box}/a?versionId=null')).toEqual(gone);
    await wire.versioning('Enabled');
    expect(await wire.ask('DELETE /{box}/a?versionId=null')).toEqual(gone);
    expect(await versions()).toEqual([]);
  });

  test.each([HELLO, HELLO.slice(1, -1), '*'])(
    '[cond-6] DeleteObject with If-Match: %s deletes the matching object',
    async (etag) => {
      await wire.put('a', 'hello');
      expect(await wire.ask('DELETE /{box}/a', { headers: { 'if-match': etag } })).toEqual(DONE);
      expect(await versions()).toEqual([]);
    },
  );

  test('DeleteObject with conditions on size and modification time deletes only the matching object', async () => {
    await wire.put('a', 'hello');
    const date = (ms: number) => new Date(wire.bench.clock.now() + ms).toUTCString();
    const known = (size: number, ms: number) => ({
      headers: { 'x-*-if-match-size': `${size}`, 'x-*-if-match-last-modified-time': date(ms) },
    });
    for (const [size, ms] of [
      [4, 0],
      [5, -1000],
    ] as const) {
      expect(await wire.refusal('DELETE /{box}/a', known(size, ms))).toMatchObject({
        status: 412,
        Code: 'PreconditionFailed',
      });
    }
    expect(await wire.ask('DELETE /{box}/a', known(5, 0))).toEqual(DONE);
    expect(await wire.refusal('DELETE /{box}/a', known(5, 0))).toMatchObject({ Code: 'NoSuchKey' });
  });

  test('only a governance bypass by a user with full access can remove a version under governance retention', async () => {
    await wire.box({ objectLockEnabled: true });
    const retention = { mode: 'GOVERNANCE', retainUntil: Date.UTC(2027, 0, 1) } as const;
    await wire.put('a', 'x', { name: 'v1', lock: { retention } });
    const line = 'DELETE /{box}/a?versionId={v1}';
    const bypass = (value: string) => ({
      headers: { 'x-*-bypass-governance-retention': value },
    });
    const denied = { status: 403, Code: 'AccessDenied' };
    expect(await wire.refusal(line)).toEqual(denied);
    expect(await wire.refusal(line, bypass('false'))).toEqual(denied);
    expect(await wire.refusal(line, bypass(''))).toEqual(denied);
    expect(await wire.refusal(line, { ...bypass('true'), as: colleague })).toEqual(denied);
    expect((await wire.ask(line, bypass('TRUE'))).status).toBe(204);
  });

  test('a bypass cannot remove a version under compliance retention or legal hold, but a delete marker can still be added', async () => {
    await wire.box({ objectLockEnabled: true });
    const retention = { mode: 'COMPLIANCE', retainUntil: Date.UTC(2027, 0, 1) } as const;
    await wire.put('a', 'x', { name: 'v1', lock: { retention } });
    await wire.put('a', 'x', { name: 'v2', lock: { legalHold: true } });
    const headers = { 'x-*-bypass-governance-retention': 'true' };
    for (const version of ['{v1}', '{v2}']) {
      expect(await wire.refusal(`DELETE /{box}/a?versionId=${version}`, { headers })).toEqual({
        status: 403,
        Code: 'AccessDenied',
      });
    }
    expect((await wire.ask('DELETE /{box}/a')).headers['x-*-delete-marker']).toBe('true');
  });

  test('another user of the project can add a delete marker, but cannot remove versions of other users', async () => {
    await wire.versioning('Enabled');
    await wire.put('a', 'x', { name: 'v1' });
    const line = 'DELETE /{box}/a?versionId={v1}';
    expect(await wire.refusal(line, { as: colleague })).toEqual({
      status: 403,
      Code: 'AccessDenied',
    });
    expect((await wire.send('DELETE /{box}/a', { as: colleague })).status).toBe(204);
  });

  const expecting = (etag: string) => ({ headers: { 'if-match': etag } });
  wire.refuses(
    [
      [
        'an object with another ETag than expected',
        'DELETE /{box}/a',
        expecting(OTHER),
        { status: 412, Code: 'PreconditionFailed', Condition: 'If-Match' },
      ],
      [
        'If-Match for an object that does not exist',
        'DELETE /{box}/none',
        expecting('*'),
        { status: 404, Code: 'NoSuchKey', Condition: 'If-Match' },
      ],
      [
        'an empty If-Match header',
        'DELETE /{box}/a',
        expecting(''),
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'if-match', ArgumentValue: '' },
      ],
      ...['', 'x'].map(
        (id) =>
          [
            `the version id ${JSON.stringify(id)}`,
            `DELETE /{box}/a?versionId=${id}`,
            {},
            { status: 400, Code: 'InvalidArgument', ArgumentName: 'versionId', ArgumentValue: id },
          ] as const,
      ),
      [
        'a partNumber parameter',
        'DELETE /{box}/a?partNumber=1',
        {},
        { status: 400, Code: 'InvalidArgument', ArgumentName: 'partNumber', ArgumentValue: '1' },
      ],
      [
        'an unexpected request body',
        'DELETE /{box}/a',
        { body: 'x' },
        { status: 400, Code: 'UnexpectedContent' },
      ],
      [
        'a header for multi-factor authentication',
        'DELETE /{box}/a',
        { headers: { 'x-*-mfa': '1 2' } },
        { status: 501, Code: 'NotImplemented', Header: wire.spelt('x-*-mfa') },
      ],
      [
        'the subresource ?restore',
        'DELETE /{box}/a?restore',
        {},
        { status: 501, Code: 'NotImplemented', ResourceType: 'RESTORE' },
      ],
      [
        'an unknown subresource',
        'DELETE /{box}/a?bogus=1',
        {},
        { status: 501, Code: 'NotImplemented', ArgumentName: 'bogus' },
      ],
    ],
    () => wire.put('a', 'hello'),
  );
});
