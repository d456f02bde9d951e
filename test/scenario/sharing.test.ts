/**
 * Tests of users who share a store, with the AWS SDK and a real daemon. They cover permissions in the users' own and in
 * other projects, and changes by an administrator.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketAclCommand,
  GetBucketPolicyCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutBucketAclCommand,
  PutBucketPolicyCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startDaemon, type RunningDaemon } from '../../daemon/main.ts';
import { systemClock } from '../../src/base/clock.ts';
import { resolveHome } from '../../src/config/home.ts';
import { connectControl, type ControlClient } from '../../src/control/client.ts';
import { runCli } from '../helpers/run-cli.ts';

const HOME = mkdtempSync(join(tmpdir(), 'sharing-'));
let daemon: RunningDaemon;
let control: ControlClient;
const clients: S3Client[] = [];

beforeAll(async () => {
  writeFileSync(join(HOME, 'config.yaml'), 'storage: {port: 0}\n', { mode: 0o600 });
  const home = resolveHome({ homeFlag: HOME, env: {}, cwd: '/' });
  daemon = await startDaemon({ home });
  control = await connectControl({ socketPath: home.socketPath, clientName: 'test' });
});

afterAll(async () => {
  for (const client of clients) client.destroy();
  control.close();
  await daemon.stop('the tests are over');
  rmSync(HOME, { recursive: true });
});

async function holdfast(...argv: string[]) {
  const result = await runCli(argv, { env: { HOLDFAST_HOME: HOME }, clock: systemClock });
  expect({ argv, ...result }).toMatchObject({ exitCode: 0, stderr: '' });
  return result.stdout;
}

/** Returns an S3 client that signs with the first access key of a user. */
async function clientOf(accessKeyId: string): Promise<S3Client> {
  const { secretAccessKey, region, endpointUrl } = await control.call('credentials', {
    accessKeyId,
  });
  const client = new S3Client({
    endpoint: endpointUrl,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 1,
  });
  clients.push(client);
  return client;
}

/** Returns the name of the error that a call fails with, or `done`. */
async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'done';
  } catch (error) {
    const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } };
    return name === 'Unknown' || name === 'UnknownError' || name === '403'
      ? String($metadata?.httpStatusCode)
      : name;
  }
}

let ann: S3Client;
let bob: S3Client;
let eve: S3Client;
let round = 0;
let photos: string;
let films: string;

/**
 * Creates two projects of different customers, and a bucket with an object in each. Users ann and bob belong to
 * one project, and eve to the other.
 */
beforeEach(async () => {
  round += 1;
  [photos, films] = [`photos-${round}`, `films-${round}`];
  await holdfast('admin', 'projects', 'add', `${photos}@acme`);
  await holdfast('admin', 'projects', 'add', `${films}@umbrella`);
  await holdfast('admin', 'users', 'add', `${photos}:ann@acme`, '--full-access');
  await holdfast('admin', 'users', 'add', `${photos}:bob@acme`);
  await holdfast('admin', 'users', 'add', `${films}:eve@umbrella`, '--full-access');
  ann = await clientOf(`${photos}:ann@acme`);
  bob = await clientOf(`${photos}:bob@acme`);
  eve = await clientOf(`${films}:eve@umbrella`);
  for (const [client, Bucket] of [
    [ann, photos],
    [eve, films],
  ] as const) {
    await client.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
    await client.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'mine' }));
  }
});

const bucketsOf = async (client: S3Client) =>
  (await client.send(new ListBucketsCommand({}))).Buckets?.map(({ Name }) => Name);

describe('users of other projects', () => {
  test('[user-13] users of other projects learn nothing about a bucket except that its name is taken', async () => {
    expect(await bucketsOf(ann)).toEqual([photos]);
    expect(await bucketsOf(eve)).toEqual([films]);
    const Bucket = photos;
    const Key = 'k';
    const outcomes = await Promise.all([
      outcome(eve.send(new HeadBucketCommand({ Bucket }))),
      outcome(eve.send(new ListObjectsV2Command({ Bucket }))),
      outcome(eve.send(new GetObjectCommand({ Bucket, Key }))),
      outcome(eve.send(new GetObjectCommand({ Bucket, Key: 'missing' }))),
      outcome(eve.send(new HeadObjectCommand({ Bucket, Key }))),
      outcome(eve.send(new PutObjectCommand({ Bucket, Key, Body: 'hers' }))),
      outcome(eve.send(new DeleteObjectCommand({ Bucket, Key }))),
      outcome(eve.send(new DeleteBucketCommand({ Bucket }))),
      outcome(eve.send(new CreateBucketCommand({ Bucket }))),
    ]);
    expect(outcomes).toEqual([
      '403',
      'AccessDenied',
      'AccessDenied',
      'AccessDenied',
      '403',
      'AccessDenied',
      'AccessDenied',
      'AccessDenied',
      'BucketAlreadyExists',
    ]);
    const { Body } = await ann.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToString()).toBe('mine');
  });
});

describe('users of the same project', () => {
  test('[user-14] all users of a project can use its buckets, but only the owner sees a bucket in ListBuckets and can delete it', async () => {
    const Bucket = photos;
    expect(await bucketsOf(bob)).toEqual([]);
    await bob.send(new PutObjectCommand({ Bucket, Key: 'bobs', Body: 'b' }));
    const { Contents } = await bob.send(new ListObjectsV2Command({ Bucket }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(['bobs', 'k']);
    const { Body } = await ann.send(new GetObjectCommand({ Bucket, Key: 'bobs' }));
    expect(await Body?.transformToString()).toBe('b');
    await ann.send(new DeleteObjectCommand({ Bucket, Key: 'bobs' }));
    await bob.send(new DeleteObjectCommand({ Bucket, Key: 'k' }));

    const empty = `${photos}-empty`;
    await ann.send(new CreateBucketCommand({ Bucket: empty }));
    expect(await outcome(bob.send(new DeleteBucketCommand({ Bucket: empty })))).toBe(
      'AccessDenied',
    );
    expect(await outcome(ann.send(new DeleteBucketCommand({ Bucket: empty })))).toBe('done');
  });

  test('[user-15] PutObjectLegalHold requires full access, which takes effect as soon as the user or a group of the user gets it', async () => {
    const hold = (Status: 'OFF' | 'ON') =>
      outcome(
        bob.send(
          new PutObjectLegalHoldCommand({ Bucket: photos, Key: 'k', LegalHold: { Status } }),
        ),
      );
    expect(await hold('ON')).toBe('AccessDenied');
    await holdfast('admin', 'groups', 'add', `${photos}:admins@acme`, '--full-access');
    await holdfast('admin', 'groups', 'join', `${photos}:admins@acme`, 'bob');
    expect(await hold('ON')).toBe('done');
    await holdfast('admin', 'groups', 'leave', `${photos}:admins@acme`, 'bob');
    expect(await hold('OFF')).toBe('AccessDenied');
    await holdfast('admin', 'users', 'grant', `${photos}:bob@acme`);
    expect(await hold('OFF')).toBe('done');
  });
});

describe('permissions that users grant', () => {
  const textOf = async (client: S3Client, Key = 'k') => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: photos, Key }));
    return Body?.transformToString();
  };
  const policyFor = (AWS: string) =>
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { AWS },
          Action: 's3:GetObject',
          Resource: `arn:aws:s3:::${photos}/*`,
        },
      ],
    });
  const setPolicy = (Policy: string) =>
    ann.send(new PutBucketPolicyCommand({ Bucket: photos, Policy }));

  test('[user-20] an ACL grant to a project by id or e-mail applies to all its users until it is removed', async () => {
    const project = `${films}@umbrella`;
    await holdfast('admin', 'projects', 'set-email', project, `${films}@example.com`);
    const list = () => outcome(eve.send(new ListObjectsV2Command({ Bucket: photos })));
    for (const GrantRead of [`id="${project}"`, `emailAddress="${films}@example.com"`]) {
      await ann.send(new PutBucketAclCommand({ Bucket: photos, GrantRead }));
      expect(await list()).toBe('done');
      const { Grants } = await ann.send(new GetBucketAclCommand({ Bucket: photos }));
      expect(Grants?.map(({ Grantee }) => Grantee?.ID)).toEqual([project]);
      await ann.send(new PutBucketAclCommand({ Bucket: photos, ACL: 'private' }));
      expect(await list()).toBe('AccessDenied');
    }
    await ann.send(
      new PutObjectAclCommand({ Bucket: photos, Key: 'k', GrantRead: `id="${project}"` }),
    );
    expect(await textOf(eve)).toBe('mine');
    await ann.send(new PutObjectCommand({ Bucket: photos, Key: 'k', Body: 'new' }));
    expect(await outcome(textOf(eve))).toBe('AccessDenied');
  });

  test('[user-21] an ACL grant or policy for a principal that does not exist is rejected', async () => {
    const grant = (GrantRead: string) =>
      outcome(ann.send(new PutBucketAclCommand({ Bucket: photos, GrantRead })));
    expect(await grant('id="nobody@umbrella"')).toBe('InvalidArgument');
    expect(await grant(`id="${films}:nobody@umbrella"`)).toBe('InvalidArgument');
    expect(await grant('emailAddress="nobody@example.com"')).toBe(
      'UnresolvableGrantByEmailAddress',
    );
    const unknownUser = setPolicy(policyFor(`arn:aws:iam:::user/${films}:nobody@umbrella`));
    expect(await outcome(unknownUser)).toBe('MalformedPolicy');
    expect(await outcome(ann.send(new GetBucketPolicyCommand({ Bucket: photos })))).toBe(
      'NoSuchBucketPolicy',
    );
  });

  test('[user-22] a bucket policy applies to the named user and to no other user of the project', async () => {
    await holdfast('admin', 'users', 'add', `${films}:dan@umbrella`);
    const dan = await clientOf(`${films}:dan@umbrella`);
    await setPolicy(policyFor(`arn:aws:iam:::user/${films}:eve@umbrella`));
    expect(await textOf(eve)).toBe('mine');
    expect(await outcome(textOf(dan))).toBe('AccessDenied');
    const asked = ['GetObject', `${photos}/k`, '--user', `${films}:eve@umbrella`];
    const explained = await holdfast('s3', 'policy', 'explain', ...asked);
    expect(explained).toContain('statement 1 of the policy, which allows it');
  });

  test('[user-23] a new user cannot have the name of a removed user unless --again is given', async () => {
    await holdfast('admin', 'users', 'add', `${films}:dan@umbrella`);
    await setPolicy(policyFor(`arn:aws:iam:::user/${films}:dan@umbrella`));
    await holdfast('admin', 'users', 'remove', `${films}:dan@umbrella`, '--yes');
    const { exitCode, stderr } = await runCli(['admin', 'users', 'add', `${films}:dan@umbrella`], {
      env: { HOLDFAST_HOME: HOME },
      clock: systemClock,
    });
    expect({ exitCode, hint: stderr.includes('--again') }).toEqual({ exitCode: 1, hint: true });
  });

  test('[user-24] an unsigned GET returns a public object, but cannot list its bucket', async () => {
    const { endpointUrl } = await control.call('credentials', {});
    const status = async () => (await fetch(`${endpointUrl}/${photos}/k`)).status;
    expect(await status()).toBe(403);
    await ann.send(new PutObjectAclCommand({ Bucket: photos, Key: 'k', ACL: 'public-read' }));
    expect(await status()).toBe(200);
    expect((await fetch(`${endpointUrl}/${photos}`)).status).toBe(403);
  });
});

describe('users that an administrator changes', () => {
  test('[user-16] the next request of a removed or disabled user is rejected, even on an open connection', async () => {
    const list = (client: S3Client) =>
      outcome(client.send(new ListObjectsV2Command({ Bucket: photos })));
    expect(await list(bob)).toBe('done');
    await holdfast('admin', 'users', 'disable', `${photos}:bob@acme`);
    expect(await list(bob)).toBe('InvalidAccessKeyId');
    await holdfast('admin', 'users', 'enable', `${photos}:bob@acme`);
    expect(await list(bob)).toBe('done');
    await holdfast('admin', 'users', 'remove', `${photos}:bob@acme`, '--yes');
    expect(await list(bob)).toBe('InvalidAccessKeyId');
    expect(await list(ann)).toBe('done');
    await holdfast('admin', 'users', 'add', `${photos}:bob@acme`, '--again');
    expect(await list(bob)).toBe('InvalidAccessKeyId');
  });

  test('[user-17] the owner of a bucket, or its project, can be removed only after the bucket is deleted', async () => {
    await holdfast('admin', 'users', 'grant', `${photos}:bob@acme`);
    const refused = async (...argv: string[]) => {
      const env = { HOLDFAST_HOME: HOME };
      const { exitCode, stderr } = await runCli(argv, { env, clock: systemClock });
      return exitCode === 1 && stderr.includes(`bucket ${photos} would have no owner`);
    };
    expect(await refused('admin', 'users', 'remove', `${photos}:ann@acme`, '--yes')).toBe(true);
    expect(await refused('admin', 'projects', 'remove', `${photos}@acme`, '--yes')).toBe(true);
    expect(await bucketsOf(ann)).toEqual([photos]);
    const { VersionId } = await ann.send(new HeadObjectCommand({ Bucket: photos, Key: 'k' }));
    await ann.send(new DeleteObjectCommand({ Bucket: photos, Key: 'k', VersionId }));
    await ann.send(new DeleteBucketCommand({ Bucket: photos }));
    await holdfast('admin', 'projects', 'remove', `${photos}@acme`, '--yes');
    expect(await outcome(ann.send(new ListBucketsCommand({})))).toBe('InvalidAccessKeyId');
  });
});
