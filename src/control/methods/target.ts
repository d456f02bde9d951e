/** The member that says which store a method on buckets and objects means. */

import { z } from 'zod';

/** The name of the embedded store where a target is named. */
export const LOCAL_TARGET = 'local';

/** A configured target; absent or `local`: the embedded store. */
export const atTarget = { target: z.string().min(1).max(255).optional() };
