import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ConfigError } from '../../../src/config/config-error.ts';
import { prepareHome, resolveHome } from '../../../src/config/home.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const cwd = '/somewhere';

describe('the folders of a Holdfast home', () => {
  it('Holdfast keeps all files in the home folder if one is configured', () => {
    const home = resolveHome({ homeFlag: 'mine', env: {}, cwd });
    const { root, ownFolders, isTestMode, ...paths } = home;
    expect(isTestMode).toBe(false);
    expect(root).toBe('/somewhere/mine');
    expect(ownFolders).toEqual(['/somewhere/mine']);
    expect(home.socketPath).toBe('/somewhere/mine/control.sock');
    for (const path of Object.values(paths)) expect(path).toMatch(/^\/somewhere\/mine\//);
  });

  it.each([
    ['--home wins over the environment variable', '/flag', { HOLDFAST_HOME: '/env' }, '/flag'],
    [
      'the environment variable is used without --home',
      undefined,
      { HOLDFAST_HOME: '/env' },
      '/env',
    ],
    [
      'no home folder is configured if the variable is empty',
      undefined,
      { HOLDFAST_HOME: '' },
      undefined,
    ],
  ])('Holdfast resolves the path of the home: %s', (_, homeFlag, env, root) => {
    expect(resolveHome({ homeFlag, env, cwd }).root).toBe(root);
  });

  it('Holdfast uses the XDG folders without a configured home, with the socket in the runtime folder', () => {
    const home = resolveHome({ env: { XDG_RUNTIME_DIR: '/run/user/7' }, cwd });
    expect(home.configFile).toBe(join(homedir(), '.config/holdfast/config.yaml'));
    expect(home.dataDir).toBe(join(homedir(), '.local/share/holdfast'));
    expect(home.logFile).toBe(join(homedir(), '.local/state/holdfast/holdfast.log'));
    expect(home.socketPath).toBe('/run/user/7/holdfast/control.sock');
    expect(home.ownFolders).toContain('/run/user/7/holdfast');
    expect(home.ownFolders).not.toContain('/run/user/7');
  });

  it('Holdfast uses each XDG variable that is an absolute path', () => {
    const env = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_STATE_HOME: 'relative' };
    const home = resolveHome({ env, cwd });
    expect(home.configFile).toBe('/c/holdfast/config.yaml');
    expect(home.dataDir).toBe('/d/holdfast');
    expect(home.stateDir).toBe(join(homedir(), '.local/state/holdfast'));
  });

  it.each([{}, { XDG_RUNTIME_DIR: '' }, { XDG_RUNTIME_DIR: 'relative' }])(
    'Holdfast puts the socket in the state folder if no runtime folder exists: %o',
    (env) => {
      const home = resolveHome({ env, cwd });
      expect(home.socketPath).toBe(join(home.stateDir, 'control.sock'));
    },
  );

  it('Holdfast refuses a home whose socket path is too long and suggests a shorter folder', () => {
    const homeFlag = `/${'x'.repeat(100)}`;
    const resolve = () => resolveHome({ homeFlag, env: {}, cwd });
    expect(resolve).toThrow(ConfigError);
    expect(resolve).toThrow(
      /114 bytes, and the maximum is 107; choose a shorter folder with --home/,
    );
  });
});

describe('creating the folders of a home', () => {
  it("Holdfast creates the home's folders with access only for the user, and changes nothing the second time", () => {
    const homeFlag = join(temporaryFolder(), 'deep', 'home');
    const home = resolveHome({ homeFlag, env: {}, cwd });
    prepareHome(home);
    prepareHome(home);
    for (const folder of [homeFlag, home.dataDir, home.stateDir, home.credentialsDir]) {
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  it('Holdfast refuses a home folder that other users can write to', () => {
    const homeFlag = join(temporaryFolder(), 'home');
    mkdirSync(homeFlag);
    // The test uses chmod, because the umask narrows the mode of mkdir.
    chmodSync(homeFlag, 0o777);
    const home = resolveHome({ homeFlag, env: {}, cwd });
    expect(() => prepareHome(home)).toThrow(/other users may write to it; run: chmod go-w/);
  });

  it('Holdfast reports a file at the path of the home folder', () => {
    const homeFlag = join(temporaryFolder(), 'home');
    writeFileSync(homeFlag, '');
    const home = resolveHome({ homeFlag, env: {}, cwd });
    expect(() => prepareHome(home)).toThrow(
      /prepare folder .*home: a part of the path is not a folder/,
    );
  });

  it('Holdfast reports a home on a read-only file system and suggests --home', () => {
    // In /proc, no user can create a folder, not even root.
    const home = resolveHome({ homeFlag: '/proc/holdfast', env: {}, cwd });
    expect(() => prepareHome(home)).toThrow(/choose another folder with --home DIR/);
  });
});
