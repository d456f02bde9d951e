/**
 * Defines the parameters that name users, projects and groups. The default names are those of the user that the daemon
 * acts for.
 */

import { z } from 'zod';

export const empty = z.object({});

/** Whether an entry existed and was removed. */
export const removed = z.object({ removed: z.boolean() });

/**
 * The name of a user, project or group. The limit is longer than any valid name, because the identity store validates
 * names.
 */
const name = z.string().min(1).max(256);

export const namedProjectSchema = z.object({
  project: name.optional(),
  customer: name.optional(),
});

export const namedUserSchema = namedProjectSchema.extend({ user: name.optional() });

export const namedGroupSchema = namedProjectSchema.extend({ group: name });

/**
 * Whether to reuse the name of a removed user or project. The new entry then receives all permissions that other users
 * have granted to that name.
 */
export const again = z.boolean();
