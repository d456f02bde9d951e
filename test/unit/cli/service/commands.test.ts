/**
 * Tests of `holdfast service` with a fake systemctl that records its arguments. The real systemctl
 * is tested by `npm run test:systemd`.
 */

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { writeFiles } from '../../../../src/cli/commands/service/install.ts';
import { checkIsForAll, checkItStays } from '../../../../src/cli/commands/service/program-place.ts';
import { packagedText, userUnit } from '../../../../src/cli/commands/service/systemd-units.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

/** Creates a folder with fake system tools. `answer` is the output of `systemctl show`. */
function machine(answer = 'LoadState=not-found\nActiveState=inactive') {
  const folder = temporaryFolder('hf-service');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const notes = join(folder, 'asked');
  const tool = (name: string, does = '') => {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >>'${notes}'\n${does}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  tool('systemctl', `case "$*" in *show*) echo '${answer}';; *fails*) exit 1;; esac`);
  tool('journalctl', 'echo a line of the journal');
  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    XDG_CONFIG_HOME: join(folder, 'config'),
    HOLDFAST_HOME: join(folder, 'home'),
  };
  return {
    unit: join(folder, 'config/systemd/user/holdfast.service'),
    asked: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []),
    service: (...argv: string[]) => runCli(['service', ...argv], { env }),
    tool,
  };
}

const RUNNING =
  'LoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\nMainPID=42\nNRestarts=3';

describe('holdfast service', () => {
  it('service install writes the systemd unit, enables it and starts it', async () => {
    const { service, unit, asked } = machine();
    const { exitCode, stdout } = await service('install', '--from-checkout');
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(unit)]);
    expect(readFileSync(unit, 'utf8')).toContain('Type=notify');
    expect(asked()).toEqual([
      'systemctl --user show --property=Version',
      'systemctl --user daemon-reload',
      'systemctl --user enable holdfast.service',
      'systemctl --user restart holdfast.service',
    ]);
  });

  it('service install refuses to run from a source checkout without confirmation', async () => {
    const { service, unit, asked } = machine();
    const { exitCode, stderr } = await service('install');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('npm ci')]);
    expect([existsSync(unit), asked()]).toEqual([false, []]);
  });

  it('service install --print prints the unit, also for another service manager, and writes nothing', async () => {
    const { service, unit, asked } = machine();
    const printed = await service('install', '--print');
    expect(printed.stdout).toContain('ExecStart=');
    const plist = await service('install', '--print', '--manager', 'launchd');
    expect(plist.stdout).toContain('<key>Label</key>');
    expect([existsSync(unit), asked()]).toEqual([false, []]);
  });

  it('service install does not overwrite a unit that Holdfast did not write', async () => {
    const { service, unit } = machine();
    mkdirSync(join(unit, '..'), { recursive: true });
    writeFileSync(unit, '[Service]\n');
    const { exitCode, stderr } = await service('install', '--from-checkout');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('did not create it')]);
    expect(readFileSync(unit, 'utf8')).toBe('[Service]\n');
  });

  it('service install writes nothing without a service manager and explains how to get one', async () => {
    const { service, unit, tool } = machine();
    tool('systemctl', 'printf "%s\\n" "cannot operate" "no bus" >&2; exit 1');
    const { exitCode, stderr } = await service('install', '--from-checkout');
    expect([exitCode, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('this session cannot reach it (cannot operate; no bus)'),
    ]);
    expect(stderr).toContain('log in as this user');
    expect(existsSync(unit)).toBe(false);
  });

  it('service start reports the error of systemctl and where to find more information', async () => {
    const { service, tool } = machine();
    tool('systemctl', 'echo no such unit >&2; exit 1');
    const { exitCode, stderr } = await service('start');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('run systemctl --user start holdfast.service: no such unit');
    expect(stderr).toContain('holdfast service logs');
  });

  it('service install reports why the service did not start', async () => {
    const { service, tool } = machine();
    tool('systemctl', 'case "$*" in *restart*) echo see journalctl >&2; exit 1;; esac');
    tool('journalctl', "echo 'Nov 21 19:33:39 box holdfast[7]: holdfast: the port is in use'");
    const { stderr } = await service('install', '--from-checkout');
    expect(stderr).toContain('its last output was: the port is in use');
    expect(stderr).not.toContain('see journalctl');
  });

  it('service status reports the state of the unit in its text and in its exit code', async () => {
    const down = await machine().service('status');
    expect([down.exitCode, down.stdout]).toEqual([3, 'holdfast.service: not installed\n']);
    const { service } = machine(RUNNING);
    expect((await service('status')).stdout).toBe(
      'holdfast.service: active (running), pid 42, restarted 3 times\n',
    );
  });

  it.each([
    ['disabled', 'inactive', 'not installed'],
    ['enabled', 'inactive', 'inactive'],
    ['disabled', 'active', 'active, does not start with the system'],
  ])(
    'service status reports a packaged unit that is %s and %s as %s',
    async (enabled, active, state) => {
      const path = 'FragmentPath=/usr/lib/systemd/user/holdfast.service';
      const { service } = machine(
        `LoadState=loaded\nActiveState=${active}\nUnitFileState=${enabled}\n${path}`,
      );
      expect((await service('status')).stdout).toBe(`holdfast.service: ${state}\n`);
    },
  );

  it('service logs prints lines of the journal', async () => {
    const { service, asked } = machine();
    expect((await service('logs', '-n', '7')).stdout).toBe('a line of the journal\n');
    expect(asked()).toEqual(['journalctl --user --unit=holdfast.service --lines=7 --no-pager']);
  });

  it('service uninstall removes only files that Holdfast wrote', async () => {
    const { service, unit, asked } = machine();
    expect((await service('uninstall')).stdout).toContain('not installed');
    expect(asked()).toEqual([]);
    await service('install', '--from-checkout');
    await service('uninstall');
    expect(existsSync(unit)).toBe(false);
    expect(asked().slice(4)).toEqual([
      'systemctl --user disable --now holdfast.service',
      'systemctl --user daemon-reload',
    ]);
  });

  it.each([
    [['install', '--for', 'ann'], '--system'],
    [['install', '--manager', 'launchd'], '--print'],
  ])('holdfast service refuses the arguments %j because %s is missing', async (argv, missing) => {
    const { exitCode, stderr } = await machine().service(...argv);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(missing)]);
  });
});

describe('unit files that a package also contains', () => {
  const program = { node: '/usr/lib/holdfast/node', script: '/usr/lib/holdfast/main.js' };
  const text = userUnit({ program, environment: {} });

  it('holdfast service does not write a unit that the package contains and removes an older copy of it', async () => {
    const folder = temporaryFolder('hf-packaged');
    const file = { path: join(folder, 'own'), packagedPath: join(folder, 'packaged'), text };
    expect(await writeFiles([file])).toEqual([file.path]);
    writeFileSync(file.packagedPath, packagedText(text));
    expect(await writeFiles([file])).toEqual([]);
    expect(existsSync(file.path)).toBe(false);
  });

  it('holdfast service writes a unit whose settings differ from those of the package', async () => {
    const folder = temporaryFolder('hf-packaged');
    const packagedPath = join(folder, 'packaged');
    writeFileSync(packagedPath, packagedText(text));
    const file = { path: join(folder, 'own'), packagedPath, text: `${text}# other settings\n` };
    expect(await writeFiles([file])).toEqual([file.path]);
    expect(readFileSync(file.path, 'utf8')).toBe(file.text);
  });
});

describe('the installation folder of the program', () => {
  it('Holdfast refuses to run as a service from a folder that npm ci or npx may delete', () => {
    const folder = temporaryFolder('hf-place');
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    writeFileSync(join(folder, 'package.json'), '{}');
    const own = join(folder, 'dist/main.js');
    const node = '/usr/bin/node';
    const installed = '/usr/lib/node_modules/holdfast/dist/src/cli/main.js';
    expect(() => checkItStays({ node, script: own })).toThrow('in a checkout');
    const pinned = join(folder, 'node_modules/node/bin/node');
    expect(() => checkItStays({ node: pinned, script: installed })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('in a checkout'),
        hint: expect.stringContaining('with a Node that is installed elsewhere'),
      }),
    );
    const passing = '/cache/_npx/0123/node_modules/holdfast/dist/src/cli/main.js';
    expect(() => checkItStays({ node, script: passing })).toThrow('npx');
    expect(() => checkItStays({ node, script: installed })).not.toThrow();
  });

  it('Holdfast refuses to run as a system service from the home folder of a user', () => {
    const script = '/usr/lib/node_modules/holdfast/dist/src/cli/main.js';
    expect(() => checkIsForAll({ node: '/home/ann/.nvm/bin/node', script })).toThrow('home');
    expect(() => checkIsForAll({ node: '/usr/bin/node', script })).not.toThrow();
  });
});
