/**
 * Declares the caller of the cluster service. Users of a project can read its clusters; users with
 * full access can change them.
 */

import type { UserPrincipal } from '../base/principal.ts';

export type Caller = UserPrincipal;
