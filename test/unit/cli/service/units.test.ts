/**
 * Tests of the files that `holdfast service install` writes. systemd itself checks the units, and
 * launchd.plist(5) is the reference for the property list.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';

import { launchdPlist } from '../../../../src/cli/commands/service/launchd-plist.ts';
import {
  storeFilesText,
  storeUnit,
  storeUserText,
  STORE_UNIT,
  USER_UNIT,
  userUnit,
} from '../../../../src/cli/commands/service/systemd-units.ts';
import { DAEMON_ASSIGNMENTS, V8_FLAGS } from '../../../../src/cli/node-options.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

/** Folder names that a shell, a systemd specifier or a variable expansion would change. */
const ODD_NAMES = ['with space', '100%', '$HOME', 'ü'];
const ODDER_NAMES = ['a"b', "a'b", 'back\\slash'];

function programIn(folder: string) {
  mkdirSync(folder, { recursive: true });
  const program = { node: join(folder, 'node'), script: join(folder, 'main.js') };
  copyFileSync('/bin/true', program.node);
  writeFileSync(program.script, '');
  return program;
}

/**
 * Returns the exit status and the output of systemd-analyze for a unit. Throws if systemd is not
 * installed, so that the test is never skipped.
 */
function analyze(verb: readonly string[], name: string, text: string): string {
  if (!existsSync('/usr/bin/systemd-analyze')) {
    throw new Error('ask systemd of a unit: install systemd, whose systemd-analyze is needed');
  }
  const folder = temporaryFolder('hf-unit');
  const file = join(folder, name);
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...verb, file], {
    encoding: 'utf8',
    // `verify --user` requires XDG_RUNTIME_DIR but writes nothing there.
    env: { ...process.env, SYSTEMD_LOG_LEVEL: 'warning', XDG_RUNTIME_DIR: folder },
  });
  return `${status}\n${stdout}${stderr}`;
}

describe('systemd units', () => {
  // The program files exist, because systemd checks that.
  const program = { node: process.execPath, script: import.meta.filename };

  it('holdfast service install generates units that systemd accepts without a warning', () => {
    const user = userUnit({ program, environment: { XDG_DATA_HOME: '/data/a b' } });
    const quiet = ['verify', '--man=no'];
    expect(analyze([...quiet, '--user'], USER_UNIT, user)).toBe('0\n');
    expect(analyze(quiet, STORE_UNIT, storeUnit(program))).toBe('0\n');
  });

  it.each(ODD_NAMES)(
    'holdfast service install writes valid systemd units for a program and a home in a folder named %s',
    (name) => {
      const folder = join(temporaryFolder('hf-odd'), name);
      const text = userUnit({ program: programIn(folder), home: folder, environment: {} });
      expect(analyze(['verify', '--man=no', '--user'], USER_UNIT, text)).toBe('0\n');
    },
  );

  it.each(ODDER_NAMES)(
    'holdfast service install writes a valid systemd unit for a home named %s but refuses a program in such a folder',
    (name) => {
      const folder = join(temporaryFolder('hf-odd'), name);
      const text = userUnit({ program, home: folder, environment: { XDG_DATA_HOME: folder } });
      expect(analyze(['verify', '--man=no', '--user'], USER_UNIT, text)).toBe('0\n');
      const odd = { node: join(folder, 'node'), script: program.script };
      expect(() => userUnit({ program: odd, environment: {} })).toThrow('quotes or backslashes');
    },
  );

  it('the systemd units start the daemon with the V8 options and the memory settings', () => {
    const start = `Environment=${DAEMON_ASSIGNMENTS.join(' ')}\nExecStart=${program.node} ${V8_FLAGS.join(' ')} ${program.script} `;
    expect(userUnit({ program, environment: {} })).toContain(`${start}service run\n`);
    expect(storeUnit(program)).toContain(`${start}--home /var/lib/holdfast s3 serve\n`);
  });

  it('holdfast service install refuses to write a systemd unit for a home with a control character in its path', () => {
    expect(() => userUnit({ program, home: '/a\nb', environment: {} })).toThrow('control');
  });

  it.each([
    [STORE_UNIT, storeUnit(program), 1.2],
    [USER_UNIT, userUnit({ program, environment: {} }), 6.7],
  ])(
    'holdfast service install keeps the security exposure of %s, as rated by systemd, within its limit',
    (name, text, most) => {
      const said = analyze(['security', '--offline=true', '--no-pager'], name, text);
      const level = Number(/Overall exposure level for .*: ([\d.]+)/.exec(said)?.[1]);
      expect(level).toBeLessThanOrEqual(most);
    },
  );
});

it('holdfast service install creates the user of the store without a login shell through systemd-sysusers', () => {
  const root = temporaryFolder('hf-sysusers');
  const file = join(root, 'etc/sysusers.d/holdfast.conf');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, storeUserText());
  execFileSync('systemd-sysusers', [`--root=${root}`]);
  expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).toMatch(
    /^holdfast:x:\d+:\d+:Holdfast object store:\/var\/lib\/holdfast:.*nologin$/m,
  );
});

it('holdfast service install assigns a port to a new store through systemd-tmpfiles and keeps an existing port', () => {
  const root = temporaryFolder('hf-tmpfiles');
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc/passwd'), `holdfast:x:${process.getuid?.()}:0::/:/bin/false\n`);
  writeFileSync(join(root, 'etc/group'), `holdfast:x:${process.getgid?.()}:\n`);
  const file = join(root, 'files.conf');
  writeFileSync(file, storeFilesText());
  const create = () => execFileSync('systemd-tmpfiles', [`--root=${root}`, '--create', file]);
  const config = join(root, 'var/lib/holdfast/config.yaml');
  create();
  expect(readFileSync(config, 'utf8')).toBe('storage: {port: 9020}\n');
  writeFileSync(config, 'storage: {port: 9021}\n');
  create();
  expect(readFileSync(config, 'utf8')).toBe('storage: {port: 9021}\n');
});

/** Keys of launchd.plist(5) that the property list uses, each with the XML element of its value. */
const AGENT_KEYS: Readonly<Record<string, string>> = {
  Label: 'string',
  ProgramArguments: 'array',
  EnvironmentVariables: 'dict',
  RunAtLoad: 'true',
  KeepAlive: 'dict',
  ThrottleInterval: 'integer',
  ExitTimeOut: 'integer',
  ProcessType: 'string',
  LowPriorityBackgroundIO: 'true',
  Umask: 'integer',
  SoftResourceLimits: 'dict',
  StandardOutPath: 'string',
  StandardErrorPath: 'string',
};

type Nodes = readonly Readonly<Record<string, unknown>>[];

describe('the launchd property list', () => {
  const text = launchdPlist({
    program: { node: '/opt/a & <b>/node', script: '/opt/main.js' },
    home: '/Users/ann/hold fast',
    environment: { XDG_DATA_HOME: '/data' },
    logFile: '/Users/ann/Library/Logs/holdfast/service.log',
  });
  const parser = new XMLParser({ preserveOrder: true, parseTagValue: false });

  function childrenOf(node: Nodes[number] | undefined, name: string): Nodes {
    return (node?.[name] ?? []) as Nodes;
  }

  /** Returns the entries of a `<dict>`: each key with the element that follows the key. */
  function membersOf(nodes: Nodes): Map<string, Readonly<Record<string, unknown>>> {
    const members = new Map<string, Readonly<Record<string, unknown>>>();
    for (let i = 0; i < nodes.length; i += 2) {
      const [name] = childrenOf(nodes[i], 'key');
      members.set(String(name?.['#text']), nodes[i + 1] ?? {});
    }
    return members;
  }

  it('the launchd property list is XML with one dictionary of known keys and types', () => {
    expect(XMLValidator.validate(text)).toBe(true);
    const root = (parser.parse(text) as Nodes).find((node) => 'plist' in node);
    const [dict] = childrenOf(root, 'plist');
    const kinds = [...membersOf(childrenOf(dict, 'dict'))].map(([key, value]) => [
      key,
      Object.keys(value)[0],
    ]);
    expect(Object.fromEntries(kinds)).toEqual(AGENT_KEYS);
  });

  it('the launchd property list starts the daemon with the V8 options', () => {
    const words = [...V8_FLAGS, '/opt/main.js'].map((word) => `<string>${word}</string>`);
    expect(text.replaceAll(/>\s+</g, '><')).toContain(words.join(''));
  });

  it('holdfast service install escapes special characters of paths in the launchd property list', () => {
    expect(text).toContain('<string>/opt/a &amp; &lt;b&gt;/node</string>');
  });

  it('plutil accepts the launchd property list (on macOS)', () => {
    const file = join(temporaryFolder('hf-plist'), 'a.plist');
    writeFileSync(file, text);
    const onMac = process.platform === 'darwin';
    if (onMac)
      expect(execFileSync('plutil', ['-lint', file], { encoding: 'utf8' })).toContain('OK');
    else expect(existsSync('/usr/bin/plutil')).toBe(false);
  });
});
