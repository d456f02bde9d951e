/** Tests of the state folder of a job after its target was renamed or changed. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { prepareJobState } from '../../../daemon/state/job-state.ts';
import { resolveHome } from '../../../src/config/home.ts';
import { parseConfig } from '../../../src/config/load.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const home = resolveHome({ homeFlag: '/of-holdfast', env: {}, cwd: '/' });

/**
 * Returns the second target of the job `docs` in a configuration with the target `name` at `host`.
 */
function furtherTarget(name: string, host = 'far.example') {
  const text =
    `targets: [{name: ${name}, endpoint: "https://${host}"}]\n` +
    `jobs: [{name: docs, folder: /docs, bucket: docs, also: [{target: ${name}}]}]`;
  const { jobs, targets } = parseConfig(text, { file: '/config.yaml', home });
  const [, job] = jobs;
  if (!job) throw new Error('the configuration has no further target');
  return [job, targets[0]] as const;
}

function openFolder() {
  const stateDir = temporaryFolder('job-state');
  return { stateDir, stateOf: (job: string) => join(stateDir, 'jobs', job, 'state.sqlite') };
}

it('the daemon keeps the state of a job whose target was renamed, but not of a job whose target has a new endpoint', async () => {
  const { stateDir, stateOf } = openFolder();
  await prepareJobState(stateDir, ...furtherTarget('far'));
  writeFileSync(stateOf('docs@far'), 'state');
  const renamed = await prepareJobState(stateDir, ...furtherTarget('distant'));
  expect(renamed).toBe(join(stateDir, 'jobs', 'docs@distant'));
  expect(readFileSync(stateOf('docs@distant'), 'utf8')).toBe('state');
  expect(existsSync(stateOf('docs@far'))).toBe(false);

  await prepareJobState(stateDir, ...furtherTarget('other', 'other.example'));
  expect(existsSync(stateOf('docs@other'))).toBe(false);
  expect(readFileSync(stateOf('docs@distant'), 'utf8')).toBe('state');
});

it('the daemon keeps the state of a job even if a state folder exists under another target name of the job', async () => {
  const { stateDir, stateOf } = openFolder();
  mkdirSync(join(stateDir, 'jobs', 'docs@older'), { recursive: true });
  await prepareJobState(stateDir, ...furtherTarget('own', 'own.example'));
  writeFileSync(stateOf('docs@own'), 'own state');
  await prepareJobState(stateDir, ...furtherTarget('own', 'own.example'));
  expect(readFileSync(stateOf('docs@own'), 'utf8')).toBe('own state');
});
