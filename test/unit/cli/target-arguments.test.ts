/**
 * Tests of the arguments of `holdfast target`: the address of a new target, its region, and the
 * source of its key.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { parseServicePlace } from '../../../src/cli/arguments/service-place.ts';
import { parseTargetPlace } from '../../../src/cli/arguments/target-place.ts';
import { readTargetKey } from '../../../src/cli/arguments/target-key.ts';
import { Context } from '../../../src/cli/context.ts';
import type { CredentialOptions } from '../../../src/cli/arguments/remote-target.ts';
import type { Io } from '../../../src/cli/output/output.ts';
import { resolveHome } from '../../../src/config/home.ts';
import { parseConfig } from '../../../src/config/load.ts';
import { CapturedSink } from '../../helpers/run-cli.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const SECRET = 'wJalr/XUtnFEMI+K7MDENG';
const KEY = { accessKeyId: 'AKID', secretAccessKey: SECRET };

describe('the address of a new target', () => {
  const place = (text: string, env: Io['env'] = {}, option?: string, profile?: string) => {
    const { regionFrom: _, ...parsed } = parseServicePlace(text, { option, profile, env });
    return parsed;
  };

  it.each([
    ['s3://backup', 'https://s3.us-east-1.amazonaws.com', 'us-east-1', 'backup', ''],
    ['s3:backup/laptop', 'https://s3.us-east-1.amazonaws.com', 'us-east-1', 'backup', 'laptop/'],
    ['s3://7z/a/b/', 'https://s3.us-east-1.amazonaws.com', 'us-east-1', '7z', 'a/b/'],
    ['storage.example.com', 'https://storage.example.com', 'us-east-1', undefined, ''],
    ['storage.example.com:9000/b/p', 'https://storage.example.com:9000', 'us-east-1', 'b', 'p/'],
    ['localhost:9010', 'http://localhost:9010', 'us-east-1', undefined, ''],
    ['http://127.0.0.1:9010/b', 'http://127.0.0.1:9010', 'us-east-1', 'b', ''],
    ['https://x.example/b/My%20Files/', 'https://x.example', 'us-east-1', 'b', 'My%20Files/'],
    [
      'https://s3.eu-west-3.amazonaws.com/b',
      'https://s3.eu-west-3.amazonaws.com',
      'eu-west-3',
      'b',
      '',
    ],
    [
      's3.us-west-004.backblazeb2.com',
      'https://s3.us-west-004.backblazeb2.com',
      'us-west-004',
      undefined,
      '',
    ],
  ])(
    'holdfast target parses %s as endpoint %s, region %s, bucket %s and prefix "%s"',
    (text, endpoint, region, bucket, prefix) => {
      expect(place(text)).toEqual({
        endpoint,
        region,
        prefix,
        ...(bucket !== undefined && { bucket }),
      });
    },
  );

  it('holdfast target takes the AWS region from the option, then from the profile, then from the environment', () => {
    const env = { AWS_DEFAULT_REGION: 'eu-north-1', AWS_REGION: 'eu-west-1' };
    expect(place('s3://b', env, 'eu-south-2', 'eu-west-2').region).toBe('eu-south-2');
    expect(place('s3://b', env, undefined, 'eu-west-2').region).toBe('eu-west-2');
    expect(place('s3://b', env)).toMatchObject({
      region: 'eu-west-1',
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
    });
    expect(place('s3://b', { AWS_DEFAULT_REGION: 'cn-north-1' }).endpoint).toBe(
      'https://s3.cn-north-1.amazonaws.com.cn',
    );
    expect(place('https://storage.example.com', env).region).toBe('us-east-1');
    expect(place('b2:backup', env, 'us-west-004').endpoint).toBe(
      'https://s3.us-west-004.backblazeb2.com',
    );
  });

  it('holdfast target takes the endpoint of s3:// from the environment, as the AWS CLI does', () => {
    const env = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9010', AWS_REGION: 'eu-west-1' };
    const { endpoint, region } = place('s3://b', env);
    expect({ endpoint, region }).toEqual({ endpoint: env.AWS_ENDPOINT_URL, region: 'eu-west-1' });
    const forS3 = { ...env, AWS_ENDPOINT_URL_S3: 'https://s3.example.com/' };
    expect(place('s3://b/p', forS3).endpoint).toBe('https://s3.example.com');
    expect(place('https://storage.example.com/b', env).endpoint).toBe(
      'https://storage.example.com',
    );
    expect(place('b2:b', env, 'us-west-004').endpoint).toContain('backblazeb2.com');
    const withPath = { AWS_ENDPOINT_URL: 'https://s3.example.com/path' };
    expect(() => place('s3://b', withPath)).toThrow('AWS_ENDPOINT_URL=https://s3.example.com/path');
  });

  it('holdfast target names the source of the region in the message', () => {
    const from = (text: string, env: Io['env'] = {}) => parseServicePlace(text, { env }).regionFrom;
    expect(from('s3://b')).toContain('default');
    expect(from('s3://b', { AWS_REGION: 'eu-west-1' })).toBe('from AWS_REGION');
    expect(from('https://s3.eu-west-3.amazonaws.com')).toBe('from the host');
  });

  it.each([
    ['nohost', 's3://BUCKET'],
    ['', 's3://BUCKET'],
    ['ftp://x', 'the endpoint of ftp: is not known'],
    ['gs://bucket', 'the endpoint of gs: is not known'],
    ['b2:backup', '--region'],
    ['s3:', 'name the bucket'],
    ['https://ann:secret@x.example', 'without a key or a query'],
    ['https://x.example?y=1', 'without a key or a query'],
    ['https:x', 'write https://HOST'],
  ])('holdfast target refuses the address "%s" with the hint "%s"', (text, hint) => {
    expect(() => place(text)).toThrow(
      expect.objectContaining({ code: 'Usage', hint: expect.stringContaining(hint) as string }),
    );
  });
});

it('holdfast target parses TARGET:BUCKET/PREFIX as a configured target, but no URL and no unknown target name', () => {
  const home = resolveHome({ homeFlag: '/home/of/holdfast', env: {}, cwd: '/' });
  const text = 'targets: [{name: far, endpoint: "https://far.example"}]';
  const { targets } = parseConfig(text, { file: '/c/config.yaml', home });
  const [target] = targets;
  expect(parseTargetPlace('far', targets)).toEqual({ target });
  expect(parseTargetPlace('far:b', targets)).toEqual({ target, bucket: 'b' });
  expect(parseTargetPlace('far:b/p/q', targets)).toEqual({ target, bucket: 'b', prefix: 'p/q/' });
  expect(parseTargetPlace('https://far.example', targets)).toBeUndefined();
  expect(parseTargetPlace('near:b', targets)).toBeUndefined();
});

describe("sources of a target's access key", () => {
  /**
   * Creates a folder with profiles, a key file and a program. Returns a function that reads a key.
   */
  function openFolder() {
    const folder = temporaryFolder('target-key');
    const file = (name: string, text: string, mode = 0o600) => {
      writeFileSync(join(folder, name), text, { mode });
      return join(folder, name);
    };
    const PROFILES = file(
      'profiles',
      `[backup]\naws_access_key_id = AKID\naws_secret_access_key = ${SECRET}\n` +
        `[session]\naws_access_key_id = AKID\naws_secret_access_key = ${SECRET}\naws_session_token = t\n`,
    );
    const CONFIG = file('config', '[profile backup]\nregion = eu-west-3\n');
    const environment = { AWS_SHARED_CREDENTIALS_FILE: PROFILES, AWS_CONFIG_FILE: CONFIG };
    const read = (options: CredentialOptions, env: Io['env'] = environment) => {
      const sink = new CapturedSink();
      const io = { stdin: Readable.from([]), stdout: sink, stderr: sink, env, cwd: folder };
      const context = new Context({ ...io, clock: new FakeClock() }, {});
      return readTargetKey(context, { options, verb: 'cannot add target far' });
    };
    return { file, read };
  }

  it('holdfast target reads an access key from a file, a profile, a command and the environment', async () => {
    const { file, read } = openFolder();
    file('key.json', JSON.stringify(KEY));
    const tool = file('a tool', `#!/bin/sh\necho '${JSON.stringify(KEY)}'\necho "$1" >&2\n`, 0o700);
    expect(await read({ credentials: 'key.json' })).toEqual(KEY);
    expect(await read({ profile: 'backup' })).toEqual(KEY);
    expect(await read({ credentialsCommand: `'${tool}' '$(touch x)'` })).toEqual(KEY);
    const env = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: SECRET };
    expect(await read({}, env)).toEqual(KEY);
  });

  it.each<[string, CredentialOptions, object]>([
    ['two sources', { credentials: 'x', profile: 'backup' }, { code: 'Usage' }],
    ['an empty command', { credentialsCommand: ' ' }, { code: 'Usage' }],
    ['an open quotation mark', { credentialsCommand: "pass 'x" }, { code: 'Usage' }],
    ['no source', {}, { code: 'NoCredentials' }],
    ['a profile with session credentials', { profile: 'session' }, { code: 'KeyEnds' }],
    [
      'an unknown profile',
      { profile: 'gone' },
      { message: expect.stringContaining('profile gone') },
    ],
    ['a command that fails', { credentialsCommand: 'false' }, { name: 'ConfigError' }],
  ])(
    'holdfast target refuses an access key from %s and does not quote the key',
    async (_, options, expected) => {
      const { read } = openFolder();
      const error: unknown = await read(options).catch((each: unknown) => each);
      expect(error).toMatchObject(expected);
      expect(String(error)).not.toContain(SECRET);
    },
  );
});
