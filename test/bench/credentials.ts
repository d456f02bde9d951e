/** Declares the access keys that the bench's servers accept. */

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
 * The access key of a user of another project. Only ACLs and policies give this user permissions.
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
