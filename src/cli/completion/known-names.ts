/** Requests the names of jobs and buckets from the daemon to complete a command line. */

import type { ControlClient } from '../../control/client.ts';
import type { Context } from '../context.ts';
import type { Candidate, Names } from './complete.ts';

/**
 * How long to wait for names from the daemon. It usually responds within milliseconds. A shell that waits longer
 * appears to hang.
 */
const ANSWER_WITHIN_MS = 2_000;
/** The maximum number of completions. A longer list is not useful. */
const MAX_NAMES = 1_000;

/**
 * Returns the names that start with `begun`. Never rejects, because a completion cannot show an error. Returns no names
 * if no daemon is running or if the daemon does not respond in time.
 */
export async function knownNames(
  context: Context,
  names: readonly Names[],
  begun: string,
): Promise<readonly Candidate[]> {
  const asked = names.filter((each) => each !== 'files');
  if (asked.length === 0) return [];
  const late = Promise.withResolvers<readonly Candidate[]>();
  const cancel = context.io.clock.after(ANSWER_WITHIN_MS, () => late.resolve([]));
  const found = context
    .withDaemon(async (daemon) => {
      const all = await Promise.all(asked.map((each) => namesOf(daemon, each)));
      return all.flat().filter(({ value }) => value.startsWith(begun));
    })
    .catch(() => []);
  try {
    return (await Promise.race([found, late.promise])).slice(0, MAX_NAMES);
  } finally {
    cancel();
  }
}

async function namesOf(daemon: ControlClient, names: Names): Promise<Candidate[]> {
  if (names === 'jobs') {
    const { jobs } = await daemon.call('status', {});
    return jobs.map(({ name, folder }) => ({ value: name, description: folder }));
  }
  const { buckets } = await daemon.call('buckets.list', {});
  const end = names === 'objects' ? '/' : '';
  return buckets.map(({ name }) => ({ value: `${name}${end}`, description: 'bucket' }));
}
