/**
 * Tests that secret files and programs are refused if another user could change them, even if
 * Holdfast runs as root.
 */

import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { findProgram } from '../../../src/config/find-program.ts';
import { readCertificate } from '../../../src/config/certificate.ts';
import { askCredentials } from '../../../src/config/credentials.ts';
import { prepareHome, resolveHome } from '../../../src/config/home.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { readCustomerKey } from '../../../src/config/read-customer-key.ts';
import { provenanceKey } from '../../../src/mirror/objects/provenance-key.ts';
import { readSecretHeader } from '../../../src/monitoring/actions/secret-header.ts';
import { makeCertificate } from '../../helpers/certificate.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const isRoot = process.getuid?.() === 0;
const OTHER = 4711;
const CREDENTIALS = '{"accessKeyId": "AKID", "secretAccessKey": "secret"}';
const KEY = `${Buffer.alloc(32, 1).toString('base64')}\n`;

function fileIn(folder: string, text: string, mode = 0o600): string {
  const file = join(folder, 'file');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

/** Gives a file or folder to another user. This process can still use it through its group. */
function giveAway(path: string): void {
  chmodSync(path, 0o770);
  chownSync(path, OTHER, process.getgid?.() ?? 0);
}

const ran = (folder: string) => join(folder, 'ran');

/** Creates a program that prints `text` and creates a file to show that it ran. */
function program(folder: string, text = CREDENTIALS): string {
  return fileIn(folder, `#!/bin/sh\ntouch ${ran(folder)}\nprintf '%s' '${text}'\n`, 0o755);
}

type Use = (folder: string) => { readonly file: string; readonly use: () => unknown };

const USES: readonly (readonly [string, Use])[] = [
  [
    'a credentials file',
    (folder) => {
      const file = fileIn(folder, CREDENTIALS);
      return { file, use: () => askCredentials({ file }, {}) };
    },
  ],
  [
    'a profile with a key',
    (folder) => {
      const lines = '[a]\naws_access_key_id = a\naws_secret_access_key = b\n';
      const profileFile = fileIn(folder, lines);
      const use = () => askCredentials({ profile: 'a', profileFile }, {});
      return { file: profileFile, use };
    },
  ],
  [
    'a profile that names a program',
    (folder) => {
      const profileFile = fileIn(folder, '[a]\ncredential_process = /bin/echo\n');
      const use = () => askCredentials({ profile: 'a', profileFile }, {});
      return { file: profileFile, use };
    },
  ],
  [
    'a program that prints credentials',
    (folder) => {
      const file = program(folder);
      return { file, use: () => askCredentials({ command: [file] }, {}) };
    },
  ],
  [
    'a customer key',
    (folder) => {
      const file = fileIn(folder, KEY);
      return { file, use: () => readCustomerKey({ file }) };
    },
  ],
  [
    'a program that prints a customer key',
    (folder) => {
      const file = program(folder, KEY);
      return { file, use: () => readCustomerKey({ command: [file] }) };
    },
  ],
  [
    'a secret header',
    (folder) => {
      const file = fileIn(folder, 'Authorization: x\n');
      return { file, use: () => readSecretHeader(file) };
    },
  ],
];

describe.each(USES)('the owner and permissions of %s', (_what, of) => {
  test('Holdfast accepts a file that the current user owns', async () => {
    const { use } = of(temporaryFolder());
    const outcome = await Promise.resolve()
      .then(use)
      .catch((error: unknown) => String(error));
    // Any other error shows that the file was read.
    expect(outcome).not.toEqual(expect.stringContaining('belongs to'));
  });

  test('Holdfast refuses a file in a folder that any user may write to', async () => {
    const folder = temporaryFolder();
    const { use } = of(folder);
    chmodSync(folder, 0o777);
    await expect(Promise.resolve().then(use)).rejects.toThrow(`chmod o-w '${folder}'`);
  });

  test.runIf(isRoot)(
    'Holdfast refuses a file of another user and names the path, the owner and a command that fixes the problem',
    async () => {
      const { file, use } = of(temporaryFolder());
      giveAway(file);
      await expect(Promise.resolve().then(use)).rejects.toThrow(
        new RegExp(`${file}.* belongs to user ${OTHER}.*chown 0 '${file}'`, 's'),
      );
    },
  );

  test.runIf(isRoot)('Holdfast refuses a file in a folder of another user', async () => {
    const folder = temporaryFolder();
    const { use } = of(folder);
    giveAway(folder);
    await expect(Promise.resolve().then(use)).rejects.toThrow(`folder ${folder} belongs to user`);
  });
});

describe.runIf(isRoot)('files that belong to another user', () => {
  test('Holdfast does not run a program that belongs to another user', async () => {
    const folder = temporaryFolder();
    const file = program(folder);
    giveAway(file);
    await expect(askCredentials({ command: [file] }, {})).rejects.toThrow('belongs to user');
    expect(() => readFileSync(ran(folder))).toThrow('ENOENT');
  });

  test('Holdfast refuses a certificate key that belongs to another user', () => {
    const folder = temporaryFolder();
    const { cert, key } = makeCertificate();
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key, { mode: 0o600 });
    giveAway(keyFile);
    expect(() => readCertificate({ certFile, keyFile }, { configFile: 'config.yaml' })).toThrow(
      /keyFile: .* belongs to user 4711.*chown 0/,
    );
  });

  test('Holdfast refuses a key file for upload proofs that belongs to another user', () => {
    const folder = temporaryFolder();
    provenanceKey(folder, 1);
    giveAway(join(folder, 'provenance.key'));
    expect(() => provenanceKey(folder, 1)).toThrow(/belongs to user 4711.*chown 0/);
  });

  test('Holdfast refuses a folder in its home that belongs to another user', () => {
    const root = temporaryFolder();
    const home = resolveHome({ homeFlag: root, env: {}, cwd: root });
    prepareHome(home);
    giveAway(home.stateDir);
    expect(() => prepareHome(home)).toThrow(/state: it belongs to user 4711.*chown 0/);
  });

  test('Holdfast refuses a configuration of another user if it names a program', async () => {
    const root = temporaryFolder();
    const home = resolveHome({ homeFlag: root, env: {}, cwd: root });
    writeFileSync(home.configFile, 'region: here\n');
    giveAway(home.configFile);
    expect(await loadConfig(home)).toMatchObject({ region: 'here' });
    rmSync(home.configFile);
    const target =
      'targets: [{name: a, endpoint: "http://127.0.0.1:1", credentials: {command: [x]}}]\n';
    writeFileSync(home.configFile, target);
    giveAway(home.configFile);
    await expect(loadConfig(home)).rejects.toThrow(/config.yaml.*belongs to user 4711/s);
  });
});

test.each([
  'targets: [{name: a, endpoint: "http://127.0.0.1:1", credentials: {command: [x]}}]\n',
  'alerts: {actions: [{type: command, argv: [x]}]}\n',
])(
  'Holdfast refuses a configuration that other users may write to if it names a program: %s',
  async (text) => {
    const root = temporaryFolder();
    const home = resolveHome({ homeFlag: root, env: {}, cwd: root });
    writeFileSync(home.configFile, text);
    chmodSync(home.configFile, 0o666);
    await expect(loadConfig(home)).rejects.toThrow(/other users may write it; run: chmod 600/);
  },
);

test('Holdfast finds a program in PATH, and refuses it if it is world-writable', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  const path = program(join(folder, 'bin'));
  const before = process.env['PATH'];
  process.env['PATH'] = `${join(folder, 'bin')}:${before}`;
  try {
    expect(findProgram('file')).toEqual({ path });
    chmodSync(path, 0o777);
    expect(findProgram('file').refusal).toContain(`chmod o-w '${path}'`);
  } finally {
    process.env['PATH'] = before;
  }
  expect(findProgram('no-such-program')).toEqual({ path: 'no-such-program' });
});
