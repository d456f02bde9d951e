/** Tests of the checks of `holdfast doctor` for file watches, disk space and the Node.js version. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  examineDisk,
  examineNode,
  examineWatches,
} from '../../../../src/cli/commands/doctor/examine-machine.ts';
import { resolveHome } from '../../../../src/config/home.ts';
import { parseConfig } from '../../../../src/config/load.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

function fixture(folders: number, most: number) {
  const place = temporaryFolder('hf-watches');
  for (let number = 1; number < folders; number += 1)
    mkdirSync(join(place, 'docs', `${number}`), { recursive: true });
  writeFileSync(join(place, 'max_user_watches'), `${most}\n`);
  const home = resolveHome({ homeFlag: join(place, 'home'), env: {}, cwd: '/' });
  const text = 'jobs: [{name: docs, folder: ../docs, bucket: docs}]';
  const config = parseConfig(text, { file: home.configFile, home });
  return { place, home, config };
}

describe('checks of the machine by holdfast doctor', () => {
  it('holdfast doctor reports if the system allows too few file watches for the jobs and prints the sysctl line', () => {
    const { config, place } = fixture(10, 11);
    expect(examineWatches(config, place)).toEqual([
      {
        check: 'watches',
        severity: 'attention',
        message:
          '10 folders to watch, and the limit is 11: changes in the other folders are detected only by full scans',
        fix:
          'echo fs.inotify.max_user_watches=1048576 | sudo tee /etc/sysctl.d/60-holdfast.conf && ' +
          'sudo sysctl fs.inotify.max_user_watches=1048576',
      },
    ]);
  });

  it('holdfast doctor accepts enough file watches, and a system without a limit', () => {
    const { config, place } = fixture(10, 100);
    expect(examineWatches(config, place)[0]?.severity).toBe('good');
    expect(examineWatches(config, join(place, 'none'))).toEqual([]);
  });

  it('holdfast doctor reports if the disk has too little free space', () => {
    const { home } = fixture(1, 1);
    expect(examineDisk(home, 400e6)).toMatchObject({
      severity: 'attention',
      fix: expect.stringMatching(/^du /) as string,
    });
    expect(examineDisk(home, 600e6)).toMatchObject({ severity: 'good', message: '600 MB free' });
  });

  it('holdfast doctor checks the disk even before the first start, when the data folder does not exist', () => {
    const { home } = fixture(1, 1);
    const later = { ...home, dataDir: join(home.dataDir, 'not/yet/there') };
    expect(examineDisk(later).message).toMatch(/ free/);
  });

  it('holdfast doctor reports a Node.js version that is too old', () => {
    expect(examineNode('20.19.1')).toMatchObject({ severity: 'failed' });
    expect(examineNode('24.20.9')).toMatchObject({ severity: 'failed' });
    expect(examineNode('24.21.0')).toMatchObject({ severity: 'good' });
  });
});
