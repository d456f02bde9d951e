/** The keys that the bench's servers know. */

import type { AccessKey } from '../../src/identity/identity.ts';

export const BENCH_KEY: AccessKey = {
  accessKeyId: 'holdfast:bench@local',
  secretAccessKey: 'bench-secret-bench-secret-bench-secret',
  principal: {
    kind: 'user',
    project: 'holdfast',
    user: 'bench',
    customer: 'local',
    fullAccess: true,
  },
};

/** Of another project: what its user may do, lists and policies say. */
export const STRANGER_KEY: AccessKey = {
  accessKeyId: 'elsewhere:guest@local',
  secretAccessKey: 'guest-secret-guest-secret-guest-secret',
  principal: {
    kind: 'user',
    project: 'elsewhere',
    user: 'guest',
    customer: 'local',
    fullAccess: false,
  },
};
