/** Requests the names of jobs and buckets from the daemon to complete a command line. */

import type { ControlClient } from '../../control/client.ts';
import type { Context } from '../context.ts';
import type { Candidate, Names } from './complete.ts';

/** The daemon usually responds within milliseconds. A shell that waits for longer than this appears to hang. */
const ANSWER_WITHIN_MS = 2_000;
/** The maximum number of completions. A longer list is of no use. */
const MAX_NAMES = 1_000;

/**
 * Returns the names that begin with `begun`. Never rejects: it returns no names if no daemon runs or if the daemon does
 * not respond in time, because a completion cannot show an error.
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
