/**
 * Declares the parameters that name users, projects and groups. An absent name is that of the user that the daemon acts
 * for.
 */

import { z } from 'zod';

export const empty = z.object({});

/** Whether there was something to remove. */
export const removed = z.object({ removed: z.boolean() });

/** A name. The limit is longer than any valid name; the identity store validates names. */
const name = z.string().min(1).max(256);

export const namedProjectSchema = z.object({
  project: name.optional(),
  customer: name.optional(),
});

export const namedUserSchema = namedProjectSchema.extend({ user: name.optional() });

export const namedGroupSchema = namedProjectSchema.extend({ group: name });

/**
 * Whether to reuse the name of a removed user or project, with all permissions that other users have granted to that
 * name.
 */
export const again = z.boolean();
