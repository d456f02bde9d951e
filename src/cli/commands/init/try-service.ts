/** Tests a target and its credentials before they are written to disk. */

import type { Clock } from '../../../base/clock.ts';
import type { Finding } from '../../../base/finding.ts';
import type { Config } from '../../../config/config.ts';
import type { Credentials } from '../../../config/credentials.ts';
import type { Home } from '../../../config/home.ts';

/**
 * Returns the findings about the targets and cluster services in `config`. `keys` has the credentials of targets that
 * have none on disk yet.
 */
export async function tryService(asked: {
  readonly home: Home;
  readonly config: Config;
  readonly clock: Clock;
  readonly keys: ReadonlyMap<string, Credentials>;
}): Promise<readonly Finding[]> {
  const { examineServices } = await import('../../../../daemon/doctor/examine-services.ts');
  return examineServices(asked);
}
