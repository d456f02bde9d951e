/** Declares the parameter that selects the store of a method on buckets and objects. */

import { z } from 'zod';

/** Name of a configured target; absent or `local` for the embedded store. */
export const atTarget = { target: z.string().min(1).max(255).optional() };
