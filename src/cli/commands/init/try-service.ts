/** The key and the place, tried before anything is written. */

import type { Clock } from '../../../base/clock.ts';
import type { Finding } from '../../../base/finding.ts';
import type { Config } from '../../../config/config.ts';
import type { Credentials } from '../../../config/credentials.ts';
import type { Home } from '../../../config/home.ts';

export async function tryService(asked: {
  readonly home: Home;
  readonly config: Config;
  readonly clock: Clock;
  readonly keys: ReadonlyMap<string, Credentials>;
}): Promise<readonly Finding[]> {
  const { examineServices } = await import('../../../../daemon/doctor/examine-services.ts');
  return examineServices(asked);
}
