/** Declares the control methods on the projects of the embedded store, and on their groups. */

import { z } from 'zod';

import { again, empty, namedGroupSchema, namedProjectSchema } from './people.ts';

export const projectSchema = z.object({
  /** Project ID, `project@customer`. */
  id: z.string(),
  project: z.string(),
  customer: z.string(),
  email: z.string().optional(),
  users: z.number().int(),
  createdAt: z.number(),
});

export const groupSchema = z.object({
  group: z.string(),
  project: z.string(),
  customer: z.string(),
  fullAccess: z.boolean(),
  users: z.array(z.string()),
});

const email = z.string().min(1).max(1024);

export const PROJECT_METHODS = {
  'projects.list': { params: empty, result: z.object({ projects: z.array(projectSchema) }) },
  'projects.add': {
    params: namedProjectSchema
      .required({ project: true })
      .extend({ email: email.optional(), again }),
    result: projectSchema,
  },
  /**
   * Removes a project with its users, groups and keys. Rejects with `Conflict` while one of its users owns buckets, and
   * for the project that jobs act in.
   */
  'projects.remove': { params: namedProjectSchema.required({ project: true }), result: empty },
  /** Sets the email address of a project, or removes it if `email` is absent. */
  'projects.setEmail': {
    params: namedProjectSchema.extend({ email: email.optional() }),
    result: projectSchema,
  },
  'groups.list': { params: empty, result: z.object({ groups: z.array(groupSchema) }) },
  'groups.add': {
    params: namedGroupSchema.extend({ fullAccess: z.boolean() }),
    result: groupSchema,
  },
  'groups.remove': { params: namedGroupSchema, result: empty },
  'groups.grant': {
    params: namedGroupSchema.extend({ fullAccess: z.boolean() }),
    result: groupSchema,
  },
  /** Adds a user of the project to the group, or removes the user from it. */
  'groups.setMember': {
    params: namedGroupSchema.extend({ user: z.string(), member: z.boolean() }),
    result: groupSchema,
  },
} as const;
