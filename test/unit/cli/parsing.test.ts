import { describe, expect, it } from 'vitest';

import { callerFolder } from '../../../src/cli/caller-folder.ts';
import { amount } from '../../../src/cli/arguments/amounts.ts';
import { choice } from '../../../src/cli/arguments/choices.ts';
import { wholeNumber } from '../../../src/cli/output/numbers.ts';
import { remoteTarget } from '../../../src/cli/arguments/remote-target.ts';
import { parseServicePlace } from '../../../src/cli/arguments/service-place.ts';

describe('whole numbers in arguments', () => {
  it.each([
    ['0', 0],
    ['10000', 10_000],
  ])('the command line accepts %s as a whole number', (text, value) => {
    expect(wholeNumber(0, 10_000)(text)).toBe(value);
  });

  it.each(['', '-1', '1.5', '1e3', '10001', 'x'])(
    'the command line refuses %j as a whole number from 0 to 10000',
    (text) => {
      expect(() => wholeNumber(0, 10_000)(text)).toThrow('from 0 to 10000');
    },
  );
});

it('the command line refuses an invalid amount as a usage error that names the option and quotes the value', () => {
  expect(amount('threshold', '2.5 TiB')).toBe(2.5 * 2 ** 40);
  expect(() => amount('threshold', 'much')).toThrow(
    expect.objectContaining({ code: 'Usage', message: 'invalid threshold "much"' }),
  );
});

describe('options with a fixed list of choices', () => {
  it('the command line ignores case in a choice and accepts aliases', () => {
    expect(choice('colour', 'RED', ['Red', 'Blue'])).toBe('Red');
    expect(choice('colour', 'sky', ['Red', 'Blue'], { sky: 'Blue' })).toBe('Blue');
  });

  it('the command line lists all choices in the error for an invalid choice', () => {
    expect(() => choice('colour', 'green', ['Red'], { sky: 'Red' })).toThrow('one of Red, sky');
  });
});

describe('the folder from which the user called Holdfast', () => {
  const npm = {
    npm_package_name: 'holdfast',
    npm_package_json: '/src/holdfast/package.json',
    INIT_CWD: '/home/ada',
  };
  it.each([
    ['is the folder of the npm call, under npm start', npm, '/src/holdfast', '/home/ada'],
    ['is the working directory, without npm', {}, '/home/ada', '/home/ada'],
    [
      'is the working directory, if a script changed it after npm started the script',
      npm,
      '/tmp',
      '/tmp',
    ],
    [
      'is the working directory, under npm of another package',
      { ...npm, npm_package_name: 'other' },
      '/src/holdfast',
      '/src/holdfast',
    ],
  ])(
    'the command line resolves relative paths against the folder of the user: it %s',
    (_, env, cwd, folder) => {
      expect(callerFolder(env, cwd)).toBe(folder);
    },
  );
});

describe('the target that --to names', () => {
  const own = { HOLDFAST_TARGET_ACCESS_KEY_ID: 'id', HOLDFAST_TARGET_SECRET_ACCESS_KEY: 'secret' };
  const aws = { AWS_ACCESS_KEY_ID: 'aws-id', AWS_SECRET_ACCESS_KEY: 'aws-secret' };
  const none = { protocol: undefined, region: undefined, caFile: undefined };
  const to = 'https://storage.example.com/';
  const service = parseServicePlace(to, { env: {} });
  const asked = { ...none, to, service, protocol: 's3' } as const;

  it('the command line reads the credentials of a remote target from the environment and prefers HOLDFAST_ variables', () => {
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
  ])(
    'the command line names the required environment variables in the error for a remote target with %s',
    (_, env) => {
      expect(() => remoteTarget(asked, env)).toThrow(
        expect.objectContaining({
          code: 'NoCredentials',
          hint: expect.stringContaining('HOLDFAST_TARGET_SECRET_ACCESS_KEY'),
        }),
      );
    },
  );

  it('the command line refuses temporary credentials for a remote target and does not quote the key', () => {
    const session = { ...aws, AWS_SESSION_TOKEN: 'never-shown' };
    const refused = expect.objectContaining({ code: 'KeyEnds' }) as Error;
    expect(() => remoteTarget(asked, session)).toThrow(refused);
    expect(() => remoteTarget(asked, session)).not.toThrow(/never-shown|aws-secret/);
    expect(remoteTarget(asked, { ...session, ...own })).toMatchObject({ accessKeyId: 'id' });
  });

  it('the command line has no remote target without --to and refuses other target options', () => {
    const local = { ...none, to: undefined, service: undefined };
    expect(remoteTarget(local, own)).toBe(undefined);
    expect(() => remoteTarget({ ...local, caFile: '/ca.pem' }, own)).toThrow('--to');
    expect(() => remoteTarget({ ...local, protocol: 's3' }, own)).toThrow('--to');
  });
});
