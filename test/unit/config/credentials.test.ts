/** Tests of the sources of credentials. No error may quote a secret. */

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { askCredentials } from '../../../src/config/credentials.ts';
import type { CredentialsSource } from '../../../src/config/credentials-source.ts';
import { parseCredentials } from '../../../src/config/credentials-text.ts';
import { wordsOf } from '../../../src/config/profile-text.ts';
import { ConfigError } from '../../../src/config/config-error.ts';
import { resolveHome } from '../../../src/config/home.ts';
import { parseConfig } from '../../../src/config/load.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const SECRET = 'wJalr/XUtnFEMI+K7MDENG';
const KEY = { accessKeyId: 'AKID', secretAccessKey: SECRET };
const TOKEN = 'IQoJb3JpZ2lu/XQ+Q==';
const SESSION_KEY = { ...KEY, sessionToken: TOKEN };

function fileWith(text: string, mode = 0o600): string {
  const file = join(temporaryFolder('hf-credentials'), 'file');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

/** Creates an executable that prints `text`, in a temporary folder. */
function program(text: string, name = 'tool'): { readonly folder: string; readonly path: string } {
  const folder = temporaryFolder('hf-program');
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\ncat <<'END'\n${text}\nEND\n`, { mode: 0o755 });
  return { folder, path };
}

const PROFILES = `[default]
aws_access_key_id = other
aws_secret_access_key = other

[ backup ]   # the one
aws_access_key_id = AKID
aws_secret_access_key=${SECRET}
[session]
aws_access_key_id = AKID
aws_secret_access_key = ${SECRET}
aws_session_token = ${TOKEN}
[half]
aws_secret_access_key = ${SECRET}
`;

describe('formats of a file with credentials', () => {
  it.each([
    ['a Holdfast JSON file', JSON.stringify(KEY)],
    [
      'the JSON output of a credential_process',
      `{"Version": 1, "AccessKeyId": "AKID", "SecretAccessKey": "${SECRET}"}`,
    ],
    [
      'a Holdfast settings file',
      `export AWS_ACCESS_KEY_ID=AKID\nexport AWS_SECRET_ACCESS_KEY='${SECRET}'\n`,
    ],
    [
      'a settings file that a web console exports',
      `# endpoint\nS3_URL="https://x"\nEC2_ACCESS_KEY="AKID"\nEC2_SECRET_KEY="${SECRET}"\r\n`,
    ],
  ])('Holdfast reads credentials from %s', (_, text) => {
    expect(parseCredentials(text)).toEqual(KEY);
  });

  it.each([
    ['a Holdfast JSON file', JSON.stringify(SESSION_KEY)],
    [
      'the JSON output of a credential_process',
      `{"Version": 1, "AccessKeyId": "AKID", "SecretAccessKey": "${SECRET}", "SessionToken": "${TOKEN}",
        "Expiration": "2026-11-21T12:00:00Z"}`,
    ],
    [
      'a settings file',
      `AWS_ACCESS_KEY_ID=AKID\nAWS_SECRET_ACCESS_KEY='${SECRET}'\nAWS_SESSION_TOKEN="${TOKEN}"\n`,
    ],
  ])('Holdfast reads session credentials from %s', (_, text) => {
    expect(parseCredentials(text)).toEqual(SESSION_KEY);
  });

  it('Holdfast recognizes no credentials without a secret or with an invalid session token', () => {
    const broken = JSON.stringify({ ...KEY, sessionToken: 'a\r\nb' });
    for (const text of ['', SECRET, 'AWS_ACCESS_KEY_ID=AKID', '{"accessKeyId": "AKID"}', broken])
      expect(parseCredentials(text)).toBeUndefined();
  });

  it('Holdfast reads credentials from a file, the environment, a command and an AWS profile', async () => {
    const file = fileWith(JSON.stringify(KEY));
    const profiles = fileWith(PROFILES);
    const env = { OFFSITE_ACCESS_KEY_ID: 'AKID', OFFSITE_SECRET_ACCESS_KEY: SECRET };
    const sources: CredentialsSource[] = [
      { file },
      { environment: 'OFFSITE' },
      { command: [program(JSON.stringify(KEY)).path, 'show'] },
      { profile: 'backup', profileFile: profiles },
    ];
    for (const source of sources) expect(await askCredentials(source, env)).toEqual(KEY);
    const usual = { AWS_SHARED_CREDENTIALS_FILE: profiles };
    expect(await askCredentials({ profile: 'backup' }, usual)).toEqual(KEY);
  });

  it("Holdfast reads credentials from the keyring through the keyring's command-line tool", async () => {
    const tool = process.platform === 'darwin' ? 'security' : 'secret-tool';
    const { folder } = program(JSON.stringify(KEY), tool);
    const path = process.env['PATH'];
    process.env['PATH'] = `${folder}:${path}`;
    try {
      expect(await askCredentials({ keyring: 'offsite' }, {})).toEqual(KEY);
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('Holdfast reads the credentials of an AWS profile from either AWS file or from its credential_process', async () => {
    const tool = program(JSON.stringify(SESSION_KEY), 'a tool').path;
    const env = {
      AWS_SHARED_CREDENTIALS_FILE: fileWith(PROFILES),
      AWS_CONFIG_FILE: fileWith(`[default]
aws_access_key_id = not this one
aws_secret_access_key = not this one
[profile backup]
region = eu-west-1
s3 =
  addressing_style = path
[profile alone]
aws_access_key_id = AKID
aws_secret_access_key = ${SECRET}
[profile asked]
credential_process = "${tool}" show 'of two words' \\"
[profile half]
credential_process = ${tool.replaceAll(' ', '\\ ')}
`),
    };
    const keyOf = (profile: string) => askCredentials({ profile }, env);
    expect(await keyOf('default')).toEqual({ accessKeyId: 'other', secretAccessKey: 'other' });
    expect(await keyOf('backup')).toEqual(KEY);
    expect(await keyOf('session')).toEqual(SESSION_KEY);
    expect(await keyOf('alone')).toEqual(KEY);
    expect(await keyOf('asked')).toEqual(SESSION_KEY);
    expect(await keyOf('half')).toEqual(SESSION_KEY);
    const { AWS_CONFIG_FILE } = env;
    const without = { AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE: '/nowhere' };
    expect(await askCredentials({ profile: 'alone' }, without)).toEqual(KEY);
  });

  it.each([
    ['a  b', ['a', 'b']],
    [` 'a b' "c d"e`, ['a b', 'c de']],
    [String.raw`a\ b "c\"d" 'e\'`, ['a b', 'c"d', 'e\\']],
    [`'' a`, ['', 'a']],
    ['"a', undefined],
    ["it's", undefined],
    ['  ', undefined],
  ])('Holdfast splits the command line %j as a shell does', (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });

  const missing: readonly (readonly [() => CredentialsSource, string])[] = [
    [() => ({ file: '/nowhere' }), 'the file does not exist'],
    [
      () => ({ file: fileWith(JSON.stringify(KEY), 0o640) }),
      'other users may read it; run: chmod 600',
    ],
    [
      () => ({ file: fileWith(`{"accessKeyId": "AKID", "secret": "${SECRET}"}`) }),
      'it has no access key: write JSON',
    ],
    [() => ({ environment: 'OFFSITE' }), "they are not set in the daemon's environment"],
    [() => ({ command: ['/nowhere/pass'] }), 'the program does not exist'],
    [() => ({ command: ['/bin/sh', '-c', `echo ${SECRET} >&2; exit 3`] }), 'exited with code 3'],
    [() => ({ command: [program(SECRET).path] }), 'its output contains no access key'],
    [() => ({ profile: 'gone', profileFile: fileWith(PROFILES) }), 'profile gone does not exist'],
    [
      () => ({ profile: 'half', profileFile: fileWith(PROFILES) }),
      'profile half does not have both aws_access_key_id',
    ],
    [
      () => ({ profile: 'a', profileFile: fileWith(`[a]\nrole_arn = x\nsource_profile = b\n`) }),
      'aws, configure, export-credentials, --profile, a]',
    ],
    [
      () => ({ profile: 'a', profileFile: fileWith('[a]\ncredential_process = "x\n') }),
      'a quotation mark that is not closed',
    ],
    [
      () => ({ profile: 'a', profileFile: fileWith('[a]\ncredential_process = x\n', 0o620) }),
      'other users may write it',
    ],
    [
      () => ({ profile: 'backup', profileFile: fileWith(PROFILES, 0o644) }),
      'other users may read it; run: chmod 600',
    ],
  ];

  it.each(missing)(
    'Holdfast does not quote a secret in the error for invalid or missing credentials: %#',
    async (source, reason) => {
      const refused = await askCredentials(source(), {}).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(ConfigError);
      const { message, stack = '' } = refused as ConfigError;
      expect(message).toContain(reason);
      expect(JSON.stringify(refused) + stack).not.toContain(SECRET);
    },
  );
});

describe.each([
  [
    'a target',
    (members: string) => `targets:\n  - {name: one, endpoint: "https://one.example", ${members}}\n`,
  ],
  [
    'a cluster service',
    (members: string) => `clusters:\n  services: [{name: one, url: "https://one/x", ${members}}]\n`,
  ],
])('credentials in the configuration of %s', (_, configOf) => {
  const home = resolveHome({ homeFlag: '/home/of/holdfast', env: {}, cwd: '/' });
  const parse = (members: string) => {
    const file = '/etc/holdfast/config.yaml';
    const { targets, clusters } = parseConfig(configOf(members), { file, home });
    return [...targets, ...clusters.services][0]?.credentials;
  };

  it('Holdfast reads credentials from the configured source, or from a file in the home by default', () => {
    expect(parse('region: eu')).toEqual({ file: '/home/of/holdfast/credentials/one.json' });
    expect(parse('credentialsFile: a.json')).toEqual({ file: '/etc/holdfast/a.json' });
    expect(parse('credentials: {file: a.json}')).toEqual({ file: '/etc/holdfast/a.json' });
    expect(parse('credentials: {command: [pass, show, a]}')).toEqual({
      command: ['pass', 'show', 'a'],
    });
    expect(parse('credentials: {profile: a, profileFile: b}')).toEqual({
      profile: 'a',
      profileFile: '/etc/holdfast/b',
    });
  });

  it.each([
    ['credentials: {}', 'must have one of file, environment'],
    ['credentials: {file: a, keyring: b}', 'must have one of file, environment'],
    ['credentials: {keyring: b, profileFile: c}', 'profileFile requires profile'],
    ['credentials: {environment: off-site}', 'must be the prefix of the variable names'],
    ['credentials: {file: a}, credentialsFile: b', 'remove one of them'],
  ])('Holdfast refuses a configuration with %s', (members, message) => {
    expect(() => parse(members)).toThrow(message);
  });
});
