/** Defines the access keys that the benchmark's servers accept. */

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

/**
 * The access key of a user in another project. This user has only the permissions that ACLs and
 * policies grant.
 */
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
