/** Declares the parameter that selects the store of a method on buckets and objects. */

import { z } from 'zod';

/** Name of the embedded store where the name of a target is expected. */
export const LOCAL_TARGET = 'local';

/** Name of a configured target; absent or `local` for the embedded store. */
export const atTarget = { target: z.string().min(1).max(255).optional() };
