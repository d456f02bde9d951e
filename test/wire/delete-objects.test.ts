/** Many deletions in one request, as bytes on the wire, in both dialects. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { bytesBody } from '../../src/object-store/body.ts';
import { dialects, WireBench } from '../helpers/wire-bench.ts';

describe.each(Object.values(dialects))('in dialect $name', (dialect) => {
  const bench = new WireBench();

  const post = (box: string, body: string) => {
    const headers = { 'content-md5': createHash('md5').update(body).digest('base64') };
    return bench.send(dialect, { method: 'POST', url: `/${box}/?delete`, body, headers });
  };
  const object = (key: string, versionId?: string) =>
    `<Object><Key>${key}</Key>${versionId === undefined ? '' : `<VersionId>${versionId}</VersionId>`}</Object>`;

  test('each outcome is told in the order asked for; a missing key counts as deleted', async () => {
    const box = await bench.bucket();
    for (const key of ['a', 'b &'])
      await bench.store.putObject({ bucket: box, key, body: bytesBody('x') });
    const answer = await post(
      box,
      `<Delete>${object('b &amp;')}${object('none')}${object('a')}</Delete>`,
    );
    expect(answer.status).toBe(200);
    expect(answer.text().match(/<DeleteResult.*/)?.[0]).toBe(
      `<DeleteResult xmlns="${dialect.xmlNamespace}"><Deleted><Key>b &amp;</Key></Deleted>` +
        '<Deleted><Key>none</Key></Deleted><Deleted><Key>a</Key></Deleted></DeleteResult>',
    );
    expect((await bench.store.listObjects({ bucket: box })).objects).toEqual([]);
  });

  test('markers and versions are told apart, and a locked version is an error among successes', async () => {
    const box = await bench.bucket({ objectLockEnabled: true });
    const put = async (key: string, legalHold: boolean) =>
      (await bench.store.putObject({ bucket: box, key, body: bytesBody('x'), lock: { legalHold } }))
        .versionId;
    const free = await put('free', false);
    const held = await put('held', true);
    const answer = await post(
      box,
      `<Delete><Quiet>false</Quiet>${object('free')}${object('free', free)}${object('held', held)}</Delete>`,
    );
    expect(answer.text()).toMatch(
      /<Deleted><Key>free<\/Key><DeleteMarker>true<\/DeleteMarker><DeleteMarkerVersionId>[^<]+<\/DeleteMarkerVersionId><\/Deleted>/,
    );
    expect(answer.text()).toContain(
      `<Deleted><Key>free</Key><VersionId>${free}</VersionId></Deleted>`,
    );
    expect(answer.text()).toContain(
      `<Error><Key>held</Key><VersionId>${held}</VersionId><Code>AccessDenied</Code>`,
    );
    const quiet = await post(
      box,
      `<Delete><Quiet>true</Quiet>${object('none')}${object('held', held)}</Delete>`,
    );
    expect(quiet.text()).not.toContain('<Deleted>');
    expect(quiet.text()).toContain('<Error><Key>held</Key>');
  });

  test.each([
    ['nothing named', '<Delete/>', 'MalformedXML'],
    [
      '1,001 objects',
      `<Delete>${'<Object><Key>k</Key></Object>'.repeat(1001)}</Delete>`,
      'MalformedXML',
    ],
    ['an object without a key', '<Delete><Object/></Delete>', 'MalformedXML'],
    ['no XML', 'hello', 'MalformedXML'],
    [
      'more than 2 MiB',
      `<Delete>${' '.repeat(2 * 1024 * 1024)}</Delete>`,
      'MaxMessageLengthExceeded',
    ],
  ])('%s is refused', async (_, body, code) => {
    const box = await bench.bucket();
    const answer = await post(box, body);
    expect(answer.status).toBe(400);
    expect(answer.text()).toContain(`<Code>${code}</Code>`);
  });

  test('1,000 keys of 1,024 bytes are taken', async () => {
    const box = await bench.bucket();
    const keys = Array.from({ length: 1000 }, (_, index) => String(index).padEnd(1024, 'k'));
    const answer = await post(box, `<Delete>${keys.map((key) => object(key)).join('')}</Delete>`);
    expect(answer.text().match(/<Deleted>/g)).toHaveLength(1000);
  });

  test('a list that nothing vouches for is refused', async () => {
    const box = await bench.bucket();
    const request = {
      method: 'POST',
      url: `/${box}?delete`,
      body: `<Delete>${object('a')}</Delete>`,
    };
    const unsigned = { ...request, contentSha256: 'UNSIGNED-PAYLOAD' };
    expect((await bench.send(dialect, unsigned)).text()).toContain('<Code>InvalidRequest</Code>');
    expect((await bench.send(dialect, request)).status).toBe(200);
  });

  test('a bucket that does not exist is one error', async () => {
    const answer = await post('no-such-bucket', `<Delete>${object('a')}</Delete>`);
    expect([answer.status, /<Code>(\w+)/.exec(answer.text())?.[1]]).toEqual([404, 'NoSuchBucket']);
  });
});
