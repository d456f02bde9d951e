/**
 * Defines the caller of the cluster service. Users of a project may read its clusters. Users with full access may also
 * change them.
 */

import type { UserPrincipal } from '../base/principal.ts';

export type Caller = UserPrincipal;
