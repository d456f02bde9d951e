/** `holdfast s3 serve`: the daemon without jobs, so that its user needs no access to the folders of other users. */

import type { Config } from '../src/config/config.ts';
import { ConfigError } from '../src/config/config-error.ts';
import type { Home } from '../src/config/home.ts';
import { ControlError } from '../src/control/control-error.ts';
import type { ControlHandlers } from './control-server.ts';

/** Throws ConfigError for a configuration that has some. */
export function checkNoJobs({ configFile }: Pick<Home, 'configFile'>, { jobs }: Config): void {
  if (jobs.length === 0) return;
  const names = jobs.map(({ name }) => name).join(', ');
  const message = `\`holdfast s3 serve\` runs the store only, without the jobs that are here: ${names}`;
  const hint = 'to run them, too: holdfast service run; or remove `jobs` from config.yaml';
  throw new ConfigError(configFile, [{ path: 'jobs', message }], { verb: 'cannot use', hint });
}

export const NO_JOBS: Pick<
  ControlHandlers,
  'jobs.add' | 'jobs.plan' | 'targets.add' | 'targets.plan'
> = {
  'jobs.add': () => Promise.reject(refusal('add job')),
  'jobs.plan': () => Promise.reject(refusal('add job')),
  'targets.add': () => Promise.reject(refusal('add target')),
  'targets.plan': () => Promise.reject(refusal('add target')),
};

function refusal(what: string): ControlError {
  return new ControlError('Conflict', `${what}: this is a store alone, which runs no jobs`, {
    hint: 'run `holdfast up FOLDER --to ENDPOINT` as the person whose folder it is, with a key of this store',
  });
}
