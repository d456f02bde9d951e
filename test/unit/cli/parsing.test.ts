import { describe, expect, it } from 'vitest';

import { callerFolder } from '../../../src/cli/caller-folder.ts';
import { amount } from '../../../src/cli/arguments/amounts.ts';
import { choice } from '../../../src/cli/arguments/choices.ts';
import { wholeNumber } from '../../../src/cli/output/numbers.ts';
import { remoteTarget } from '../../../src/cli/arguments/remote-target.ts';
import { parseServicePlace } from '../../../src/cli/arguments/service-place.ts';

describe('a whole number', () => {
  it.each([
    ['0', 0],
    ['10000', 10_000],
  ])('the whole number %s is accepted', (text, value) => {
    expect(wholeNumber(0, 10_000)(text)).toBe(value);
  });

  it.each(['', '-1', '1.5', '1e3', '10001', 'x'])('the whole number %j is refused', (text) => {
    expect(() => wholeNumber(0, 10_000)(text)).toThrow('from 0 to 10000');
  });
});

it('an invalid amount is refused as a usage error that names and quotes it', () => {
  expect(amount('threshold', '2.5 TiB')).toBe(2.5 * 2 ** 40);
  expect(() => amount('threshold', 'much')).toThrow(
    expect.objectContaining({ code: 'Usage', message: 'invalid threshold "much"' }),
  );
});

describe('a choice', () => {
  it('an option with fixed choices ignores case and accepts aliases', () => {
    expect(choice('colour', 'RED', ['Red', 'Blue'])).toBe('Red');
    expect(choice('colour', 'sky', ['Red', 'Blue'], { sky: 'Blue' })).toBe('Blue');
  });

  it('the error for an invalid choice lists all choices', () => {
    expect(() => choice('colour', 'green', ['Red'], { sky: 'Red' })).toThrow('one of Red, sky');
  });
});

describe('the caller’s folder', () => {
  const npm = {
    npm_package_name: 'holdfast',
    npm_package_json: '/src/holdfast/package.json',
    INIT_CWD: '/home/ada',
  };
  it.each([
    ['is where npm was called, under npm start', npm, '/src/holdfast', '/home/ada'],
    ['is where we are, without npm', {}, '/home/ada', '/home/ada'],
    ['is where a script went to since npm started it', npm, '/tmp', '/tmp'],
    [
      'is where we are, under the npm of another package',
      { ...npm, npm_package_name: 'other' },
      '/src/holdfast',
      '/src/holdfast',
    ],
  ])('the folder of the caller is detected: it %s', (_, env, cwd, folder) => {
    expect(callerFolder(env, cwd)).toBe(folder);
  });
});

describe('a remote target', () => {
  const own = { HOLDFAST_TARGET_ACCESS_KEY_ID: 'id', HOLDFAST_TARGET_SECRET_ACCESS_KEY: 'secret' };
  const aws = { AWS_ACCESS_KEY_ID: 'aws-id', AWS_SECRET_ACCESS_KEY: 'aws-secret' };
  const none = { protocol: undefined, region: undefined, caFile: undefined };
  const to = 'https://storage.example.com/';
  const service = parseServicePlace(to, { env: {} });
  const asked = { ...none, to, service, protocol: 's3' } as const;

  it('a remote target has credentials from the environment, HOLDFAST_ variables first', () => {
    expect(remoteTarget(asked, { ...aws, ...own })).toEqual({
      endpoint: 'https://storage.example.com',
      protocol: 's3',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
    expect(remoteTarget(asked, aws)).toMatchObject({ accessKeyId: 'aws-id' });
  });

  it.each([
    ['no credentials', {}],
    ['only one of the two credentials', { ...aws, HOLDFAST_TARGET_ACCESS_KEY_ID: 'id' }],
  ])('the error for a remote target with %s names the required environment variables', (_, env) => {
    expect(() => remoteTarget(asked, env)).toThrow(
      expect.objectContaining({
        code: 'NoCredentials',
        hint: expect.stringContaining('HOLDFAST_TARGET_SECRET_ACCESS_KEY'),
      }),
    );
  });

  it('a remote target with temporary credentials is refused without quoting the key', () => {
    const session = { ...aws, AWS_SESSION_TOKEN: 'never-shown' };
    const refused = expect.objectContaining({ code: 'KeyEnds' }) as Error;
    expect(() => remoteTarget(asked, session)).toThrow(refused);
    expect(() => remoteTarget(asked, session)).not.toThrow(/never-shown|aws-secret/);
    expect(remoteTarget(asked, { ...session, ...own })).toMatchObject({ accessKeyId: 'id' });
  });

  it('without --to, no remote target is returned, and other target options are refused', () => {
    const local = { ...none, to: undefined, service: undefined };
    expect(remoteTarget(local, own)).toBe(undefined);
    expect(() => remoteTarget({ ...local, caFile: '/ca.pem' }, own)).toThrow('--to');
    expect(() => remoteTarget({ ...local, protocol: 's3' }, own)).toThrow('--to');
  });
});
