/** Defines the parameter that selects the store of a method on buckets and objects. */

import { z } from 'zod';

/** The name of a configured target. Absent or `local` for the embedded store. */
export const atTarget = { target: z.string().min(1).max(255).optional() };
