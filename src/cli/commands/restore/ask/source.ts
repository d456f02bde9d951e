/**
 * Opens the source of the versions for the questions of `holdfast restore`: the daemon or, if no daemon is running, the
 * embedded store.
 */

import { loadConfig } from '../../../../config/load.ts';
import type { ControlClient } from '../../../../control/client.ts';
import type { Params, Result } from '../../../../control/messages.ts';
import type { Context } from '../../../context.ts';
import { CommandError } from '../../../output/command-error.ts';

export type ReadMethod = 'history.changes' | 'history.folder' | 'history.list' | 'restore.plan';

/** Reads the versions of jobs. `ControlClient` implements this interface. */
export interface Source extends Pick<ControlClient, 'download'> {
  call<M extends ReadMethod>(
    method: M,
    params: Params<M>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result<M>>;
  close(): void | Promise<void>;
}

export interface KnownJob {
  readonly name: string;
  readonly folder: string;
  readonly bucket: string;
  readonly target: string;
}

export interface Jobs {
  readonly jobs: readonly KnownJob[];
  /**
   * Opens the source for a job. If no daemon is running, the job must use the embedded store. The caller closes
   * the source.
   */
  readonly open: (job: string) => Promise<Source>;
}

/** Returns the error for a home folder without jobs, as on a new machine. */
export function noJob(): CommandError {
  return new CommandError(
    'NotFound',
    'cannot restore: no job is configured',
    'to restore what another machine has stored: holdfast restore --from s3://BUCKET --to DIR; ' +
      'to back up a folder of this machine: holdfast init',
  );
}

/** Returns the jobs. Rejects with CommandError `NotFound` if no jobs are configured. */
export async function findJobs(context: Context): Promise<Jobs> {
  const daemon = await context.connectIfRunning();
  if (!daemon) return offlineJobs(context);
  try {
    const { jobs } = await daemon.call('status', {});
    if (jobs.length === 0) throw noJob();
    return { jobs, open: async () => context.connect() };
  } finally {
    daemon.close();
  }
}

async function offlineJobs(context: Context): Promise<Jobs> {
  const { jobs } = await loadConfig(await context.home());
  if (jobs.length === 0) throw noJob();
  const open = async (job: string) => {
    const { openOffline } = await import('../offline-restore.ts');
    return openOffline(context, job);
  };
  return { jobs, open };
}
