/** Methods on the users of the embedded store. */

import { z } from 'zod';

import { keySchema } from './keys.ts';
import { again, empty, namedUserSchema } from './people.ts';

export const userSchema = z.object({
  /** Storage user id, `project:user@customer`. */
  id: z.string(),
  user: z.string(),
  project: z.string(),
  customer: z.string(),
  /** Granted, or through a group. */
  fullAccess: z.boolean(),
  granted: z.boolean(),
  groups: z.array(z.string()),
  disabled: z.boolean(),
  createdAt: z.number(),
});

export const USER_METHODS = {
  /** What a user has to know to reach the embedded store, but for the secret. */
  whoami: {
    params: namedUserSchema,
    result: userSchema.extend({
      /** As other tools and ACLs name the project: `project@customer`. */
      grantee: z.string(),
      projectEmail: z.string().optional(),
      region: z.string(),
      /** While the daemon runs. */
      endpointUrl: z.string().optional(),
      tlsEndpointUrl: z.string().optional(),
    }),
  },
  'users.list': { params: empty, result: z.object({ users: z.array(userSchema) }) },
  /** In a project that is there; with its first key. */
  'users.add': {
    params: namedUserSchema.required({ user: true }).extend({ fullAccess: z.boolean(), again }),
    result: keySchema,
  },
  /** Out of the project, with the keys. `Conflict` while the user owns buckets. */
  'users.remove': { params: namedUserSchema.required({ user: true }), result: empty },
  /** Grants or revokes full access; what groups give stays. */
  'users.grant': {
    params: namedUserSchema.required({ user: true }).extend({ fullAccess: z.boolean() }),
    result: userSchema,
  },
  /** Disables or enables a user, in all projects of the customer. */
  'users.disable': {
    params: namedUserSchema.required({ user: true }).extend({ disabled: z.boolean() }),
    result: userSchema,
  },
} as const;
