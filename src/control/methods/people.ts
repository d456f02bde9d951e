/** How requests name users and projects. What is absent is that of the user that the daemon acts for. */

import { z } from 'zod';

export const empty = z.object({});

/** Longer than any name: which are good is the identities' to say. */
const name = z.string().min(1).max(256);

export const namedProjectSchema = z.object({
  project: name.optional(),
  customer: name.optional(),
});

export const namedUserSchema = namedProjectSchema.extend({ user: name.optional() });

export const namedGroupSchema = namedProjectSchema.extend({ group: name });

/** Takes a name that a removed one had, with all rights that others have given to that name. */
export const again = z.boolean();
