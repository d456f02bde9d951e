/** Defines the control methods for the projects of the embedded store, and for their groups. */

import { z } from 'zod';

import { again, empty, namedGroupSchema, namedProjectSchema } from './people.ts';

export const projectSchema = z.object({
  /** The project ID, `project@customer`. */
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
  'projects.list': {
    summary: 'list the projects',
    danger: 'reads',
    commands: [
      {
        usage: 'admin projects list',
        examples: [
          'holdfast admin projects list',
          'holdfast admin projects list --json | jq -r .result.projects[].id',
        ],
      },
    ],
    params: empty,
    result: z.object({ projects: z.array(projectSchema) }),
  },
  'projects.add': {
    summary: 'create a project',
    danger: 'changes',
    commands: [
      {
        usage: 'admin projects add <project>',
        more: 'Its first user should have full access.',
        examples: [
          'holdfast admin projects add photos --email photos@example.com',
          'holdfast admin projects add photos@acme    # of another customer',
        ],
        options: {
          email: {
            value: 'address',
            summary: 'email address that identifies the project in grants',
          },
          again:
            'reuse the name of a removed project, with the permissions that other users granted to it',
        },
      },
    ],

    params: namedProjectSchema
      .required({ project: true })
      .extend({ email: email.optional(), again }),
    result: projectSchema,
  },
  /**
   * Removes a project with its users, groups and keys. Rejects with `Conflict` if one of its users owns buckets, or if
   * jobs use the project.
   */
  'projects.remove': {
    summary: 'remove a project with its users, groups and access keys',
    danger: 'destroys',
    commands: [
      {
        usage: 'admin projects remove <project>',
        more: 'Fails while its users own buckets.',
        examples: ['holdfast admin projects remove photos'],
        destroys: 'remove project {project} with its users, groups and access keys',
        done: 'removed project {project}; the access keys of its users are no longer valid',
      },
    ],
    params: namedProjectSchema.required({ project: true }),
    result: empty,
  },
  /** Sets the email address of a project. Without `email`, removes the address. */
  'projects.setEmail': {
    summary: 'set or remove the email address that identifies a project in grants',
    danger: 'changes',
    commands: [
      {
        usage: 'admin projects set-email <project> [email]',
        more: 'Without EMAIL, removes the address.',
        examples: ['holdfast admin projects set-email photos photos@example.com'],
      },
    ],

    params: namedProjectSchema.extend({ email: email.optional() }),
    result: projectSchema,
  },
  'groups.list': {
    summary: 'list the groups of all projects',
    danger: 'reads',
    commands: [
      {
        usage: 'admin groups list',
        examples: ['holdfast admin groups list'],
        none: 'no groups: create one with `holdfast admin groups add NAME`',
      },
    ],
    params: empty,
    result: z.object({ groups: z.array(groupSchema) }),
  },
  'groups.add': {
    summary: 'create a group',
    danger: 'changes',
    commands: [
      {
        usage: 'admin groups add <group>',
        examples: [
          'holdfast admin groups add admins --full-access',
          'holdfast admin groups add photos:editors',
        ],
        options: { fullAccess: 'grant full access to all users in the group' },
      },
    ],

    params: namedGroupSchema.extend({ fullAccess: z.boolean() }),
    result: groupSchema,
  },
  'groups.remove': {
    summary: 'remove a group; its users remain',
    danger: 'destroys',
    commands: [
      {
        usage: 'admin groups remove <group>',
        examples: ['holdfast admin groups remove admins'],
        destroys: 'remove group {group}',
        done: 'removed group {group}; its users remain',
      },
    ],
    params: namedGroupSchema,
    result: empty,
  },
  'groups.grant': {
    summary: 'grant full access to all users in a group, or revoke it',
    danger: 'changes',
    commands: [
      {
        usage: 'admin groups grant <group>',
        summary: 'grant full access to all users in a group',
        examples: ['holdfast admin groups grant admins'],
        set: { fullAccess: true },
      },
      {
        usage: 'admin groups revoke <group>',
        summary: 'revoke full access of a group',
        examples: ['holdfast admin groups revoke admins'],
        set: { fullAccess: false },
      },
    ],

    params: namedGroupSchema.extend({ fullAccess: z.boolean() }),
    result: groupSchema,
  },
  /** Adds a user of the project to a group, or removes the user from the group. */
  'groups.setMember': {
    summary: 'add a user to a group, or remove the user from it',
    danger: 'changes',
    commands: [
      {
        usage: 'admin groups join <group> <name>',
        summary: 'add a user of the project to a group',
        examples: [
          'holdfast admin groups join admins ann',
          'holdfast admin groups join photos:admins ann',
        ],
        members: { name: 'user' },
        set: { member: true },
      },
      {
        usage: 'admin groups leave <group> <name>',
        summary: 'remove a user from a group',
        examples: ['holdfast admin groups leave admins ann'],
        members: { name: 'user' },
        set: { member: false },
      },
    ],

    params: namedGroupSchema.extend({ user: z.string(), member: z.boolean() }),
    result: groupSchema,
  },
} as const;
