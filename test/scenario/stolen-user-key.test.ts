/**
 * Tests of attacks with the stolen access key of a user without full access in the project `p1`. The attacker targets
 * the locks of `p1`, and everything in the project `p2`. Each attempt must be rejected and change nothing that the
 * owners can see.
 */

import { createHash } from 'node:crypto';

import { beforeAll, describe, expect, test } from 'vitest';

import { presign } from '../../src/protocol/signing/presign.ts';
import { SigningKeys } from '../../src/protocol/signing/signing-key.ts';
import { BOUNDARY, FORM_TYPE, formBody, signatureFields, signPolicy } from '../helpers/form.ts';
import type { RawAnswer } from '../helpers/http-socket.ts';
import {
  accessKey as owner,
  colleague as thief,
  dialects,
  REGION,
  stranger as victim,
  WireBench,
} from '../helpers/wire-bench.ts';
import type { RawRequest } from '../helpers/wire-bench.ts';

const bench = new WireBench({ signatureV2: 'headers' });
const dialect = dialects.amz;
const DAY_MS = 86_400_000;

type Given = Omit<RawRequest, 'method' | 'url'>;
/** Description of the attack, request line with placeholders, headers and body, and expected error code. */
type Attempt = readonly [claim: string, line: string, given: Given, code: string];

/** Values of the placeholders in requests, such as version ids and upload ids, by name. */
const names = new Map<string, string>();
const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => names.get(name)!);

function send(line: string, given: Given = {}): Promise<RawAnswer> {
  const [method = '', url = ''] = fill(line).split(/ (.*)/s);
  const headers = Object.entries(given.headers ?? {}).map(([name, value]) => [name, fill(value)]);
  const body = typeof given.body === 'string' ? { body: fill(given.body) } : {};
  const all = {
    ...given,
    ...body,
    headers: Object.fromEntries(headers) as Given['headers'] & object,
  };
  return bench.send(dialect, { ...all, method, url });
}

const codeOf = (answer: RawAnswer) =>
  /<Code>(\w+)</.exec(answer.text())?.[1] ?? String(answer.status);

/** Everything that the owners see, as long as all attempts were rejected. */
let known: Readonly<Record<string, string>> | undefined;

async function done(line: string, given: Given): Promise<RawAnswer> {
  known = undefined;
  const answer = await send(line, given);
  if (answer.status >= 300) throw new Error(`${line}: ${answer.status} ${answer.text()}`);
  return answer;
}

const until = (days: number) => new Date(bench.clock.now() + days * DAY_MS).toISOString();
const locked = (mode: string, days = 30) => ({
  'x-amz-object-lock-mode': mode,
  'x-amz-object-lock-retain-until-date': until(days),
});
const retention = (mode: string, days: number) =>
  `<Retention><Mode>${mode}</Mode><RetainUntilDate>${until(days)}</RetainUntilDate></Retention>`;
const bypass = { 'x-amz-bypass-governance-retention': 'true' };

const KEYS = ['plain', 'gov', 'comp', 'held', 'shared/one'];

beforeAll(async () => {
  for (const [bucket, as] of [
    ['own', owner],
    ['vault', victim],
  ] as const) {
    await done(`PUT /${bucket}`, { as, headers: { 'x-amz-bucket-object-lock-enabled': 'true' } });
    const lock: Record<string, Record<string, string>> = {
      plain: { 'x-amz-tagging': 'a=b', 'x-amz-meta-note': 'secret' },
      gov: locked('GOVERNANCE'),
      comp: locked('COMPLIANCE'),
      held: { 'x-amz-object-lock-legal-hold': 'ON' },
    };
    for (const key of KEYS) {
      const headers = lock[key] ?? {};
      const put = await done(`PUT /${bucket}/${key}`, { as, headers, body: `${bucket} ${key}` });
      names.set(`${bucket}_${key.replace('/', '_')}`, put.header('x-amz-version-id')!);
    }
    const begun = await done(`POST /${bucket}/parts?uploads`, { as });
    names.set(`${bucket}_upload`, /<UploadId>([^<]+)</.exec(begun.text())![1]!);
    const part = `PUT /${bucket}/parts?partNumber=1&uploadId={${bucket}_upload}`;
    await done(part, { as, body: 'part' });
  }
  await done('PUT /loot', { as: owner });
  await done('PUT /loot/x', { as: owner, body: 'of the own project' });
  const allow = { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam:::user/p1:bob@c1' } };
  const shared = { Action: 's3:GetObject', Resource: 'arn:aws:s3:::vault/shared/*' };
  const policy = JSON.stringify({ Statement: [{ ...allow, ...shared }] });
  await done('PUT /vault?policy', { as: victim, body: policy });
});

/** Returns everything that the owners can see of their buckets, without the request ids. */
async function everything(): Promise<Readonly<Record<string, string>>> {
  const shown: Record<string, string> = {};
  for (const [bucket, as] of [
    ['own', owner],
    ['loot', owner],
    ['vault', victim],
  ] as const) {
    const subresources =
      'versions uploads acl policy publicAccessBlock cors website lifecycle versioning object-lock tagging logging'.split(
        ' ',
      );
    const objects = bucket === 'loot' ? [] : KEYS;
    const lines = [
      ...subresources.map((name) => `GET /${bucket}?${name}`),
      ...objects.flatMap((key) =>
        ['', '?acl', '?tagging', '?retention', '?legal-hold'].map(
          (rest) => `GET /${bucket}/${key}${rest}`,
        ),
      ),
      ...(objects.length > 0 ? [`GET /${bucket}/parts?uploadId={${bucket}_upload}`] : []),
    ];
    for (const line of lines) {
      const answer = await send(line, { as });
      const headers = answer.headers.filter(([name]) =>
        /^(?:etag|last-mod|x-amz-(?!req|id))/.test(name),
      );
      const body = answer.text().replace(/<(RequestId|HostId)>[^<]*<\/\1>/g, '');
      shown[line] = JSON.stringify([answer.status, headers, body]);
    }
  }
  for (const as of [owner, victim]) {
    shown[`buckets of ${as.accessKeyId}`] = (await send('GET /', { as })).text();
  }
  return shown;
}

async function refused(attempt: () => Promise<RawAnswer>): Promise<RawAnswer> {
  const before = (known ??= await everything());
  const last = bench.lastCommit();
  const answer = await attempt();
  // Without a commit, the owners see the same. The last test of each group reads everything again.
  if (bench.lastCommit() !== last) expect(await everything()).toEqual(before);
  return answer;
}

function changesNothing(): void {
  test('after all rejected attacks with a stolen key, the owners see the same as before', async () => {
    expect(known).toBeDefined();
    expect(await everything()).toEqual(known);
  });
}

function refuses(attempts: readonly Attempt[]): void {
  test.each(attempts)(
    'an attack with a stolen key is rejected and changes nothing: %s',
    async (_, line, given, code) => {
      const answer = await refused(() => send(line, { as: thief, ...given }));
      expect(codeOf(answer)).toBe(code);
      expect(answer.text()).not.toMatch(/vault (?:plain|gov|comp|held)|secret/);
    },
  );
}

const allowThief = (bucket: string) =>
  JSON.stringify({
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: 'arn:aws:iam:::user/p1:bob@c1' },
        Action: 's3:*',
        Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
      },
    ],
  });
const EXPIRE =
  '<LifecycleConfiguration><Rule><ID>a</ID><Filter/><Status>Enabled</Status><Expiration><Days>1</Days></Expiration>' +
  '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration></Rule></LifecycleConfiguration>';
const SUSPEND = '<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>';
const TAGS = '<Tagging><TagSet><Tag><Key>a</Key><Value>c</Value></Tag></TagSet></Tagging>';
const DENIED = 'AccessDenied';

describe('a stolen key in a bucket of another project', () => {
  describe('bucket settings with a stolen key', () => {
    refuses([
      ['a policy for the thief', 'PUT /vault?policy', { body: allowThief('vault') }, DENIED],
      ['deleting the policy of the bucket', 'DELETE /vault?policy', {}, DENIED],
      ['reading the policy of the bucket', 'GET /vault?policy', {}, DENIED],
      [
        'a public ACL of the bucket',
        'PUT /vault?acl',
        { headers: { 'x-amz-acl': 'public-read-write' } },
        DENIED,
      ],
      [
        'a grant to the thief',
        'PUT /vault?acl',
        { headers: { 'x-amz-grant-full-control': 'id="p1:bob@c1"' } },
        DENIED,
      ],
      ['reading the ACL of the bucket', 'GET /vault?acl', {}, DENIED],
      ['deleting the public access block', 'DELETE /vault?publicAccessBlock', {}, DENIED],
      [
        'a CORS rule',
        'PUT /vault?cors',
        {
          body: '<CORSConfiguration><CORSRule><AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin></CORSRule></CORSConfiguration>',
        },
        DENIED,
      ],
      [
        'a website',
        'PUT /vault?website',
        {
          body: '<WebsiteConfiguration><IndexDocument><Suffix>plain</Suffix></IndexDocument></WebsiteConfiguration>',
        },
        DENIED,
      ],
      [
        'a lifecycle rule that deletes everything',
        'PUT /vault?lifecycle',
        { body: EXPIRE },
        DENIED,
      ],
      ['deleting the lifecycle configuration', 'DELETE /vault?lifecycle', {}, DENIED],
      ['suspended versioning', 'PUT /vault?versioning', { body: SUSPEND }, DENIED],
      [
        'another default retention',
        'PUT /vault?object-lock',
        {
          body: '<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled></ObjectLockConfiguration>',
        },
        DENIED,
      ],
      ['tags of the bucket', 'PUT /vault?tagging', { body: TAGS }, DENIED],
      ['deleting the bucket', 'DELETE /vault', {}, DENIED],
      ['a bucket of the same name', 'PUT /vault', {}, 'BucketAlreadyExists'],
      ['a quota', 'PUT /vault?quota', { body: '<Quota/>' }, 'NotImplemented'],
    ]);
  });

  describe('listings with a stolen key', () => {
    refuses([
      ['listing objects', 'GET /vault', {}, DENIED],
      [
        'listing objects below the readable prefix',
        'GET /vault?list-type=2&prefix=shared/',
        {},
        DENIED,
      ],
      ['listing versions', 'GET /vault?versions', {}, DENIED],
      ['listing multipart uploads', 'GET /vault?uploads', {}, DENIED],
      [
        'listing parts of a multipart upload',
        'GET /vault/parts?uploadId={vault_upload}',
        {},
        DENIED,
      ],
    ]);

    test('ListBuckets with a stolen key returns no bucket of another project', async () => {
      const text = (await send('GET /', { as: thief })).text();
      expect(text).toContain('<Buckets/>');
      expect(text).not.toContain('vault');
    });

    test.each(['GET', 'HEAD', 'DELETE'])(
      '%s with a stolen key gets the same response for existing and missing keys of another project',
      async (method) => {
        const answers: unknown[][] = [];
        for (const key of [
          'plain',
          'missing',
          'shared/missing',
          'plain?versionId=null',
          'missing?versionId=null',
        ]) {
          if (method === 'DELETE' && key.startsWith('shared')) continue;
          const answer = await refused(() => send(`${method} /vault/${key}`, { as: thief }));
          const body = answer
            .text()
            .replace(/<(RequestId|HostId|Key)>[^<]*<\/\1>/g, '')
            .replace('object version:', 'object:');
          answers.push([answer.status, body, answer.headers.map(([name]) => name)]);
        }
        expect(answers).toEqual(answers.map(() => answers[0]));
        expect(answers[0]?.[0]).toBe(403);
      },
    );
  });

  describe('objects with a stolen key', () => {
    refuses([
      ['reading an object', 'GET /vault/plain', {}, DENIED],
      ['reading a version', 'GET /vault/plain?versionId={vault_plain}', {}, DENIED],
      ['reading a range', 'GET /vault/plain', { headers: { range: 'bytes=0-3' } }, DENIED],
      ['HEAD of an object', 'HEAD /vault/plain', {}, '403'],
      [
        'reading object attributes',
        'GET /vault/plain?attributes',
        { headers: { 'x-amz-object-attributes': 'ETag' } },
        DENIED,
      ],
      ['reading tags', 'GET /vault/plain?tagging', {}, DENIED],
      ['reading the ACL of an object', 'GET /vault/plain?acl', {}, DENIED],
      ['reading the retention', 'GET /vault/gov?retention', {}, DENIED],
      ['reading the legal hold', 'GET /vault/held?legal-hold', {}, DENIED],
      [
        'reading a version of a readable object',
        'GET /vault/shared/one?versionId={vault_shared_one}',
        {},
        DENIED,
      ],
      ['a key that leaves the prefix by dots', 'GET /vault/shared/../plain', {}, DENIED],
      [
        'a key that leaves the prefix by encoded dots',
        'GET /vault/shared%2F%2e%2e%2Fplain',
        {},
        DENIED,
      ],
      ['writing an object', 'PUT /vault/plain', { body: 'x' }, DENIED],
      ['writing below the readable prefix', 'PUT /vault/shared/one', { body: 'x' }, DENIED],
      [
        'a conditional write',
        'PUT /vault/new',
        { body: 'x', headers: { 'if-none-match': '*' } },
        DENIED,
      ],
      [
        'writing a public object',
        'PUT /vault/new',
        { body: 'x', headers: { 'x-amz-acl': 'public-read' } },
        DENIED,
      ],
      ['a delete marker', 'DELETE /vault/plain', {}, DENIED],
      ['deleting a version', 'DELETE /vault/plain?versionId={vault_plain}', {}, DENIED],
      [
        'deleting a locked version',
        'DELETE /vault/gov?versionId={vault_gov}',
        { headers: bypass },
        DENIED,
      ],
      [
        'changing the ACL of an object',
        'PUT /vault/plain?acl',
        { headers: { 'x-amz-acl': 'public-read' } },
        DENIED,
      ],
      ['replacing tags', 'PUT /vault/plain?tagging', { body: TAGS }, DENIED],
      ['deleting tags', 'DELETE /vault/plain?tagging', {}, DENIED],
      [
        'a shorter retention',
        'PUT /vault/gov?retention',
        { body: retention('GOVERNANCE', 1), headers: bypass },
        DENIED,
      ],
      [
        'a retention that would lock out the owner',
        'PUT /vault/plain?retention',
        { body: retention('COMPLIANCE', 3000) },
        DENIED,
      ],
      [
        'removing the legal hold',
        'PUT /vault/held?legal-hold',
        { body: '<LegalHold><Status>OFF</Status></LegalHold>' },
        DENIED,
      ],
    ]);

    test('every entry of a bulk delete with a stolen key is rejected', async () => {
      const each = ['plain', 'gov', 'comp', 'held', 'shared/one'].map(
        (key) =>
          `<Object><Key>${key}</Key></Object><Object><Key>${key}</Key><VersionId>{vault_${key.replace('/', '_')}}</VersionId></Object>`,
      );
      const answer = await refused(() => bulk('vault', each.join('')));
      expect(answer.text()).not.toContain('<Deleted>');
      expect(answer.text()).toContain('AccessDenied');
    });
  });

  describe('copies and multipart uploads with a stolen key', () => {
    const from = (source: string, more: Record<string, string> = {}) => ({
      headers: { 'x-amz-copy-source': source, ...more },
    });
    refuses([
      ['copying an object into its own bucket', 'PUT /loot/a', from('/vault/plain'), DENIED],
      ['copying a version', 'PUT /loot/a', from('/vault/plain?versionId={vault_plain}'), DENIED],
      [
        'copying from outside the readable prefix by dots',
        'PUT /loot/a',
        from('/vault/shared%2F..%2Fplain'),
        DENIED,
      ],
      [
        'a conditional copy that would reveal the ETag',
        'PUT /loot/a',
        from('/vault/plain', { 'x-amz-copy-source-if-none-match': '"a"' }),
        DENIED,
      ],
      ['a copy into the other bucket', 'PUT /vault/plain', from('/loot/x'), DENIED],
      [
        'a copy of an object onto itself',
        'PUT /vault/plain',
        from('/vault/plain', { 'x-amz-metadata-directive': 'REPLACE' }),
        DENIED,
      ],
      ['a new multipart upload', 'POST /vault/new?uploads', {}, DENIED],
      [
        "a part of another user's multipart upload",
        'PUT /vault/parts?partNumber=1&uploadId={vault_upload}',
        { body: 'evil' },
        DENIED,
      ],
      [
        "a copied part of another user's multipart upload",
        'PUT /vault/parts?partNumber=2&uploadId={vault_upload}',
        from('/vault/plain'),
        DENIED,
      ],
      [
        "completing another user's multipart upload",
        'POST /vault/parts?uploadId={vault_upload}',
        {
          body: '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>a</ETag></Part></CompleteMultipartUpload>',
        },
        DENIED,
      ],
      [
        "aborting another user's multipart upload",
        'DELETE /vault/parts?uploadId={vault_upload}',
        {},
        DENIED,
      ],
      [
        'a part by a foreign upload id in its own bucket',
        'PUT /own/parts?partNumber=1&uploadId={vault_upload}',
        { body: 'evil' },
        'NoSuchUpload',
      ],
      [
        'listing parts by a foreign upload id in its own bucket',
        'GET /own/parts?uploadId={vault_upload}',
        {},
        'NoSuchUpload',
      ],
      [
        'aborting by a foreign upload id in its own bucket',
        'DELETE /own/parts?uploadId={vault_upload}',
        {},
        'NoSuchUpload',
      ],
    ]);

    test('UploadPartCopy from another project with a stolen key is rejected', async () => {
      const begun = await done('POST /loot/b?uploads', { as: thief });
      names.set('loot_upload', /<UploadId>([^<]+)</.exec(begun.text())![1]!);
      const part = 'PUT /loot/b?partNumber=1&uploadId={loot_upload}';
      const answer = await refused(() => send(part, { as: thief, ...from('/vault/plain') }));
      expect(codeOf(answer)).toBe(DENIED);
      await done('DELETE /loot/b?uploadId={loot_upload}', { as: thief });
    });
  });

  describe('other signing methods with a stolen key', () => {
    const host = () => `127.0.0.1:${bench.gateway.port}`;
    const raw = (method: string, url: string, headers = '', body = '') => {
      const socket = bench.connect();
      const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(
        `${method} ${url} HTTP/1.1\r\nhost: ${host()}\r\n${headers}${length}\r\n${body}`,
      );
      return socket.answer(method);
    };
    const presigned = (method: 'GET' | 'PUT', path: string) => {
      const origin = `http://${host()}`;
      const options = { dialect, region: REGION, credentials: thief, keys: new SigningKeys() };
      const request = { method, origin, path, query: [], expiresSeconds: 60 };
      return presign(request, { ...options, now: bench.clock.now() }).slice(origin.length);
    };

    test.each([
      ['GET', '/vault/plain'],
      ['PUT', '/vault/plain'],
      ['GET', '/vault'],
    ] as const)(
      'a presigned %s of %s with a stolen key is rejected and changes nothing',
      async (method, path) => {
        const body = method === 'PUT' ? 'evil' : '';
        const answer = await refused(() => raw(method, presigned(method, path), '', body));
        expect(codeOf(answer)).toBe(DENIED);
      },
    );

    test('a presigned URL for a readable object gives access to no other object', async () => {
      const url = presigned('GET', '/vault/shared/one');
      expect((await raw('GET', url)).text()).toBe('vault shared/one');
      for (const other of [
        url.replace('/shared/one', '/plain'),
        `${url}&versionId=${names.get('vault_plain')}`,
        `${url}&response-content-type=text/html`,
      ]) {
        expect(codeOf(await refused(() => raw('GET', other)))).toBe('SignatureDoesNotMatch');
      }
      expect(codeOf(await refused(() => raw('GET', url, 'x-amz-meta-a: b\r\n')))).toBe(DENIED);
    });

    test("a request with the access key id of another user and the attacker's own secret is rejected", async () => {
      const as = { ...thief, accessKeyId: victim.accessKeyId };
      const answer = await refused(() => send('GET /vault/plain', { as }));
      expect(codeOf(answer)).toBe('SignatureDoesNotMatch');
    });

    test('request headers that name another caller give a stolen key no access', async () => {
      for (const headers of [
        { 'x-amz-expected-bucket-owner': 'p2@c1' },
        { 'x-amz-request-payer': 'requester' },
        { 'x-forwarded-for': '127.0.0.1' },
        { 'x-forwarded-user': victim.accessKeyId },
        { 'x-amz-security-token': 'token' },
      ] satisfies Record<string, string>[]) {
        const answer = await refused(() => send('GET /vault/plain', { as: thief, headers }));
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.text()).not.toContain('vault plain');
      }
    });

    test.each([
      ["the thief's own signature", thief],
      ['the key id of the owner', { ...thief, accessKeyId: victim.accessKeyId }],
    ])('a form upload to another project with %s is rejected', async (_, credentials) => {
      const signing = { dialect, region: REGION, credentials, now: bench.clock.now() };
      const fields = signatureFields(signing);
      const policy = {
        expiration: until(1),
        conditions: [
          { bucket: 'vault' },
          ['starts-with', '$key', ''],
          ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
        ],
      };
      const all = { key: 'new', ...fields, ...signPolicy(policy, signing) };
      const body = formBody(all, { content: 'evil' }).toString('latin1');
      expect(body).toContain(BOUNDARY);
      const type = `content-type: ${FORM_TYPE}\r\n`;
      const answer = await refused(() => raw('POST', '/vault', type, body));
      expect(answer.status).toBe(403);
    });
  });

  changesNothing();
});

describe('a stolen key in a bucket of its own project', () => {
  describe('locks with a stolen key', () => {
    refuses([
      ['deleting a version under GOVERNANCE', 'DELETE /own/gov?versionId={own_gov}', {}, DENIED],
      [
        'deleting a version under GOVERNANCE with a bypass',
        'DELETE /own/gov?versionId={own_gov}',
        { headers: bypass },
        DENIED,
      ],
      [
        'deleting a version under COMPLIANCE',
        'DELETE /own/comp?versionId={own_comp}',
        { headers: bypass },
        DENIED,
      ],
      [
        'deleting a version under a legal hold',
        'DELETE /own/held?versionId={own_held}',
        { headers: bypass },
        DENIED,
      ],
      [
        'a shorter retention',
        'PUT /own/gov?retention',
        { body: retention('GOVERNANCE', 1) },
        DENIED,
      ],
      [
        'a shorter retention with the bypass',
        'PUT /own/gov?retention',
        { body: retention('GOVERNANCE', 1), headers: bypass },
        DENIED,
      ],
      [
        'an empty retention with the bypass',
        'PUT /own/gov?retention',
        { body: '<Retention/>', headers: bypass },
        'MalformedXML',
      ],
      [
        'GOVERNANCE instead of COMPLIANCE',
        'PUT /own/comp?retention',
        { body: retention('GOVERNANCE', 60), headers: bypass },
        DENIED,
      ],
      [
        'a shorter retention under COMPLIANCE',
        'PUT /own/comp?retention',
        { body: retention('COMPLIANCE', 1), headers: bypass },
        DENIED,
      ],
      [
        'a retention in the past',
        'PUT /own/gov?retention',
        { body: retention('GOVERNANCE', -1), headers: bypass },
        'InvalidArgument',
      ],
      [
        'removing the legal hold',
        'PUT /own/held?legal-hold',
        { body: '<LegalHold><Status>OFF</Status></LegalHold>' },
        DENIED,
      ],
      [
        'a new legal hold',
        'PUT /own/plain?legal-hold',
        { body: '<LegalHold><Status>ON</Status></LegalHold>' },
        DENIED,
      ],
      [
        'an object with a legal hold',
        'PUT /own/new',
        { body: 'x', headers: { 'x-amz-object-lock-legal-hold': 'ON' } },
        DENIED,
      ],
      ['suspended versioning', 'PUT /own?versioning', { body: SUSPEND }, 'InvalidBucketState'],
      [
        'disabling object lock',
        'PUT /own?object-lock',
        {
          body: '<ObjectLockConfiguration><ObjectLockEnabled>Disabled</ObjectLockEnabled></ObjectLockConfiguration>',
        },
        'MalformedXML',
      ],
      ['deleting the bucket of the own project', 'DELETE /own', {}, DENIED],
    ]);

    test('a bulk delete with a stolen key deletes no locked version', async () => {
      const each = ['gov', 'comp', 'held'].map(
        (key) => `<Object><Key>${key}</Key><VersionId>{own_${key}}</VersionId></Object>`,
      );
      const answer = await refused(() => bulk('own', each.join(''), bypass));
      expect(answer.text()).not.toContain('<Deleted>');
      expect(answer.text().match(/<Code>AccessDenied/g)).toHaveLength(3);
    });
  });

  changesNothing();
});

test('locked versions survive although a user can change policies, lifecycle rules and objects', async () => {
  // Users of a project share its buckets. They can put policies and lifecycle rules, and add delete markers and
  // versions.
  await done('PUT /own?policy', { as: thief, body: allowThief('own') });
  await done('PUT /own?lifecycle', { as: thief, body: EXPIRE });
  const locks = ['gov', 'comp', 'held'];
  for (const key of locks) {
    await done(`PUT /own/${key}`, { as: thief, body: 'encrypted' });
    await done(`DELETE /own/${key}`, { as: thief });
    const version = `/own/${key}?versionId={own_${key}}`;
    const answer = await refused(() => send(`DELETE ${version}`, { as: thief, headers: bypass }));
    expect(codeOf(answer)).toBe(DENIED);
    expect((await send(`GET ${version}`, { as: owner })).text()).toBe(`own ${key}`);
  }
  for (const [line, given] of [
    ['PUT /own/gov?retention', { body: retention('GOVERNANCE', 1), headers: bypass }],
    ['PUT /own/held?legal-hold', { body: '<LegalHold><Status>OFF</Status></LegalHold>' }],
  ] as const) {
    const version = line.replace(/(gov|held)\?/, '$1?versionId={own_$1}&');
    expect(codeOf(await refused(() => send(version, { as: thief, ...given })))).toBe(DENIED);
  }
});

function bulk(bucket: string, objects: string, headers: Record<string, string> = {}) {
  const body = fill(`<Delete>${objects}</Delete>`);
  const md5 = createHash('md5').update(body).digest('base64');
  const all = { 'content-md5': md5, ...headers };
  return send(`POST /${bucket}?delete`, { as: thief, headers: all, body });
}
