/**
 * Tests of restores from a hostile S3 service. Each restore must end and write nothing outside its target folder.
 */

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { restoreTree } from '../../src/restore/restore.ts';
import type { RestoreOptions } from '../../src/restore/restore-options.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sha256 } from '../helpers/tree.ts';
import { answer, connect, failure, serve } from '../unit/client/scripted-server.ts';

const XML = { 'content-type': 'application/xml' };
const DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';

const entry = (key: string, size: number | string = 1, date = '2026-11-21T12:00:00.000Z') =>
  `<Contents><Key>${key}</Key><LastModified>${date}</LastModified><ETag>"e"</ETag><Size>${size}</Size></Contents>`;

const page = (contents: string, more = '<IsTruncated>false</IsTruncated>') =>
  answer(
    200,
    XML,
    `<?xml version="1.0"?><ListBucketResult><Name>bucket</Name><Prefix></Prefix><MaxKeys>1000</MaxKeys><KeyCount>1</KeyCount>${contents}${more}</ListBucketResult>`,
  );

const next = (token: string) =>
  `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`;

function objectOf(text: string, headers: Record<string, string> = {}): RequestListener {
  const length = String(Buffer.byteLength(text));
  return answer(
    200,
    { etag: '"e"', 'last-modified': DATE, 'content-length': length, ...headers },
    text,
  );
}

interface Roles {
  readonly listing: RequestListener;
  readonly object?: RequestListener;
}

/** Starts a service whose listings and objects come from two listeners, and prepares a restore from the service. */
async function restored(
  { listing, object = objectOf('x') }: Roles,
  more: Partial<RestoreOptions> = {},
) {
  const service = await serve((request, response) => {
    const isListing = /[?&](list-type|versions)/.test(request.url ?? '');
    (isListing ? listing : object)(request, response);
  });
  const home = temporaryFolder('hostile');
  const to = join(home, 'back');
  const store = connect(service.url);
  const place = { store, bucket: 'bucket', prefix: '', to, clock: systemClock };
  const run = () => restoreTree({ ...place, logger: silentLogger, ...more });
  return { service, home, to, run };
}

const names = (folder: string) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];

describe('a service that returns hostile listings', () => {
  test.each([
    ['the same page and token forever', [page(entry('a'), next('t'))]],
    ['two alternating tokens', [page(entry('a'), next('t')), page(entry('a'), next('u'))]],
  ])('a restore fails if the listing of the service returns %s', async (_what, pages) => {
    let count = 0;
    const listing: RequestListener = (request, response) =>
      pages[count++ % pages.length]?.(request, response);
    const { run } = await restored({ listing });
    expect((await failure(run())).message).toMatch(/the listing does not end/);
    expect(count).toBeLessThan(4);
  });

  test('a restore fails if the listing of the service has an endless number of empty pages', async () => {
    let count = 0;
    const listing: RequestListener = (request, response) =>
      page('', next(`t${count++}`))(request, response);
    const { run } = await restored({ listing });
    expect((await failure(run())).message).toMatch(/the listing does not end/);
  });

  test('a restore rejects a listing with keys outside the requested prefix', async () => {
    const { run, to } = await restored({ listing: page(entry('other/a')) }, { prefix: 'mine/' });
    await expect(run()).rejects.toThrow('outside mine/');
    expect(names(to)).toEqual([]);
  });

  test('a restore fails if the markers of a version listing do not advance', async () => {
    let count = 0;
    const listing: RequestListener = (request, response) => {
      count += 1;
      answer(
        200,
        XML,
        '<?xml version="1.0"?><ListVersionsResult><Name>bucket</Name><Prefix></Prefix><KeyMarker></KeyMarker>' +
          '<VersionIdMarker></VersionIdMarker><MaxKeys>1000</MaxKeys><IsTruncated>true</IsTruncated>' +
          '<NextKeyMarker>a</NextKeyMarker><NextVersionIdMarker>v</NextVersionIdMarker></ListVersionsResult>',
      )(request, response);
    };
    const { run } = await restored({ listing }, { at: Date.UTC(2026, 10, 21) });
    expect((await failure(run())).message).toMatch(/the listing does not end/);
    expect(count).toBeLessThan(4);
  });

  test('a restore writes nothing outside the target folder for keys such as ../up or /absolute', async () => {
    const keys = ['../up', '/absolute', 'a/../../up', 'a//b', './here', '&#13;&#10;line', 'good'];
    const listing = page(
      keys
        .toSorted()
        .map((key) => entry(key))
        .join(''),
    );
    const { run, home, to } = await restored({ listing });
    const report = await run();
    expect(report.files).toBeGreaterThanOrEqual(1);
    expect(readFileSync(join(to, 'good'), 'utf8')).toBe('x');
    expect(readdirSync(home)).toEqual(['back']);
  });

  test.each([
    ['a size larger than any disk', entry('a', '9007199254740991')],
    ['a size that is not a number', entry('a', 'many')],
    ['a negative size', entry('a', -5)],
    ['a size that exceeds the number range', entry('a', '9'.repeat(400))],
    ['an invalid date', entry('a', 1, 'yesterday')],
    ['no key', '<Contents><Size>1</Size></Contents>'],
    ['a key of a million characters', entry('k'.repeat(1_000_000))],
    ['names of JavaScript object members', '<__proto__><polluted>1</polluted></__proto__>'],
  ])('a listing entry with %s does not crash a restore', async (_what, contents) => {
    const { run, to } = await restored({ listing: page(contents) });
    const outcome = await run().catch((error: unknown) => error);
    expect(outcome).toBeDefined();
    expect(names(to).filter((name) => String(name).length > 255)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each([
    [
      'exponentially expanding entities',
      `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(99)}"><!ENTITY b "${'&a;'.repeat(99)}">]><ListBucketResult>&b;</ListBucketResult>`,
    ],
    [
      'an external entity that names a local file',
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><ListBucketResult><Contents><Key>&a;</Key></Contents></ListBucketResult>',
    ],
    ['100,000 levels', `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`],
    ['text that is not XML', '{"not": "xml"}'],
    ['an error with status 200', '<Error><Code>InternalError</Code><Message>no</Message></Error>'],
  ])('a restore rejects a listing that contains %s', async (_what, xml) => {
    const { run } = await restored({ listing: answer(200, XML, xml) });
    await expect(run()).rejects.toThrow(
      /^the service did not return a valid S3 response;.*\(ListObjectsV2: |^no$/,
    );
  });

  test('a restore stops reading a listing that exceeds the size limit', async () => {
    let sent = 0;
    const listing: RequestListener = (_request, response) => {
      response.writeHead(200, XML);
      const piece = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', more);
      more();
    };
    const { run } = await restored({ listing });
    await expect(run()).rejects.toThrow('more than 8388608 bytes');
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('a service that returns hostile objects', () => {
  const listing = page(entry('file'));
  const stated = { 'x-svc-meta-holdfast-sha256': sha256(Buffer.from('promised')) };

  test('a restore reports an object that does not match its SHA-256, and writes no file for it', async () => {
    const { run, to } = await restored({
      listing: page(entry('file', 8)),
      object: objectOf('replaced', stated),
    });
    expect(await run()).toMatchObject({ files: 0, problemCount: 1 });
    expect(names(to)).toEqual([]);
  });

  test('a restore stops reading an endless object at the size in the listing', async () => {
    let sent = 0;
    const object: RequestListener = (_request, response) => {
      response.writeHead(200, { etag: '"e"', 'last-modified': DATE });
      const piece = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', more);
      more();
    };
    const { run, to } = await restored({ listing, object });
    expect(await run().catch((error: unknown) => ({ error }))).not.toMatchObject({ files: 1 });
    expect(names(to)).toEqual([]);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('a restore ignores the owner and the setuid bits in the metadata of an object without a valid proof', async () => {
    const object = objectOf('x', {
      'x-svc-meta-holdfast-mode': '6777',
      'x-svc-meta-holdfast-uid': '4711',
      'x-svc-meta-holdfast-gid': '4711',
    });
    const { run, to } = await restored({ listing, object });
    expect(await run()).toMatchObject({ files: 1, unproven: { count: 1, paths: ['file'] } });
    const { mode, uid } = lstatSync(join(to, 'file'));
    expect([mode & 0o7777, uid]).toEqual([0o777, process.getuid?.()]);
  });

  test.each([
    [
      'a symbolic link target longer than any path',
      { 'x-svc-meta-holdfast-type': 'symlink' },
      'x'.repeat(9_000),
    ],
    [
      'an extended attribute that grants capabilities',
      {
        'x-svc-meta-holdfast-xattrs': Buffer.from('[["security.capability","AA=="]]').toString(
          'base64',
        ),
      },
      'x',
    ],
    [
      'a time that no file system supports',
      { 'x-svc-meta-holdfast-mtime': '999999999999.000000000' },
      'x',
    ],
    ['an invalid date', { 'last-modified': 'never' }, 'x'],
    [
      'an attributes key outside the prefix',
      { 'x-svc-meta-holdfast-attributes': '../../etc' },
      'x',
    ],
  ])(
    'a restore of an object with %s ends and writes nothing outside the target folder',
    async (_what, headers, text) => {
      const { run, home } = await restored({
        listing: page(entry('file', text.length)),
        object: objectOf(text, headers),
      });
      const outcome = await run().catch((error: unknown) => error);
      expect(outcome).toBeDefined();
      expect(readdirSync(home)).toEqual(['back']);
    },
  );

  test('a restore rejects an object with a megabyte of headers', async () => {
    const { run, to } = await restored({
      listing,
      object: objectOf('x', { 'x-svc-meta-a': 'a'.repeat(1_000_000) }),
    });
    const outcome = await run().catch((error: unknown) => error);
    expect(outcome).not.toMatchObject({ problemCount: 0 });
    expect(names(to)).toEqual([]);
  });
});

test.each([301, 302, 303, 307, 308])(
  'a restore does not follow a redirect with status %i to another host',
  async (status) => {
    const other = await serve(page(entry('file')));
    const listing = answer(status, { location: `${other.url}/bucket?list-type=2` });
    const { run } = await restored({ listing });
    await expect(run()).rejects.toThrow(/^cannot use .*it redirects/);
    expect(other.requests).toEqual([]);
  },
);
