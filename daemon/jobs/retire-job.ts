/** Closes the mirror of a job that was removed or gets another destination, and aborts its unfinished uploads. */

import type { Clock } from '../../src/base/clock.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { JobConfig } from '../../src/config/config.ts';
import type { Mirror } from '../../src/mirror/mirror.ts';

/** The time limit for aborting uploads. A service that does not respond must not prevent the job from ending. */
const RETIRE_WITHIN_MS = 10_000;
/** The maximum number of keys in a note. */
const KEYS_NAMED = 10;

export interface RetireOptions {
  readonly config: JobConfig;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Closes the mirror. Returns a note for the user if uploads may remain at the service. */
export async function retireMirror(
  mirror: Mirror,
  { config, clock, logger }: RetireOptions,
): Promise<readonly string[]> {
  const late = new AbortController();
  const cancel = clock.after(RETIRE_WITHIN_MS, () =>
    late.abort(new Error('the service did not respond in time')),
  );
  try {
    const keys = await mirror.close(late.signal);
    if (keys.length === 0) return [];
    logger.warn(
      { job: config.name, keys },
      'close job: unfinished uploads of these keys may remain',
    );
    return [note(keys, config)];
  } finally {
    cancel();
  }
}

function note(keys: readonly string[], { bucket, prefix }: JobConfig): string {
  const named = keys.slice(0, KEYS_NAMED).join(', ');
  const more = keys.length > KEYS_NAMED ? ` and ${keys.length - KEYS_NAMED} more` : '';
  return (
    `unfinished multipart uploads of ${named}${more} may remain in ${bucket}/${prefix}: the service did not confirm ` +
    'that they were aborted; abort them there, or add a lifecycle rule'
  );
}
