/** The key that the bench's servers know. */

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
