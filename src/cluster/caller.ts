/** Who uses the cluster service: everybody of a project sees its clusters, and who has full access changes them. */

import type { UserPrincipal } from '../base/principal.ts';

export type Caller = UserPrincipal;
