/**
 * Restricts the daemon of `holdfast s3 serve` to the store, because its system user must not read other users'
 * folders.
 */

import type { Config } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import type { Home } from '../../src/config/home.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { ControlHandlers } from '../control/control-handlers.ts';

/** Throws ConfigError if the configuration contains jobs. */
export function checkNoJobs({ configFile }: Pick<Home, 'configFile'>, { jobs }: Config): void {
  if (jobs.length === 0) return;
  const names = jobs.map(({ name }) => name).join(', ');
  const message = `\`holdfast s3 serve\` runs the store without jobs, but jobs are configured: ${names}`;
  const hint = 'to run the jobs too: holdfast service run; or remove `jobs` from config.yaml';
  throw new ConfigError(configFile, [{ path: 'jobs', message }], { verb: 'cannot use', hint });
}

export const NO_JOBS: Pick<
  ControlHandlers,
  'jobs.add' | 'jobs.plan' | 'targets.add' | 'targets.plan'
> = {
  'jobs.add': () => Promise.reject(refusal('add the job')),
  'jobs.plan': () => Promise.reject(refusal('add the job')),
  'targets.add': () => Promise.reject(refusal('add the target')),
  'targets.plan': () => Promise.reject(refusal('add the target')),
};

function refusal(what: string): ControlError {
  const reason = 'this daemon was started by `holdfast s3 serve` and runs no jobs';
  return new ControlError('Conflict', `cannot ${what}: ${reason}`, {
    hint: 'run `holdfast up FOLDER --to ENDPOINT` as the user who owns the folder, with a key of this store',
  });
}
