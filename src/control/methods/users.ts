/** Defines the control methods for users of the embedded store. */

import { z } from 'zod';

import { keySchema } from './keys.ts';
import { again, empty, namedUserSchema } from './people.ts';

export const userSchema = z.object({
  /** The storage user ID, `project:user@customer`. */
  id: z.string(),
  user: z.string(),
  project: z.string(),
  customer: z.string(),
  /** Whether the user has full access, either directly or through a group. */
  fullAccess: z.boolean(),
  granted: z.boolean(),
  groups: z.array(z.string()),
  disabled: z.boolean(),
  createdAt: z.number(),
});

export const USER_METHODS = {
  /** Returns the data that a user needs to connect to the embedded store, without the secret. */
  whoami: {
    summary: 'return the IDs, the access and the endpoint of a user',
    danger: 'reads',

    params: namedUserSchema,
    result: userSchema.extend({
      /** The project ID that ACLs and S3 tools use, `project@customer`. */
      grantee: z.string(),
      projectEmail: z.string().optional(),
      region: z.string(),
      /** The URL of the embedded store. Present while the daemon runs. */
      endpointUrl: z.string().optional(),
      tlsEndpointUrl: z.string().optional(),
    }),
  },
  'users.list': {
    summary: 'list the users of all projects',
    danger: 'reads',
    commands: [
      {
        usage: 'admin users list',
        examples: [
          'holdfast admin users list',
          'holdfast admin users list --json | jq -r .result.users[].id',
        ],
      },
    ],
    params: empty,
    result: z.object({ users: z.array(userSchema) }),
  },
  /** Adds a user to an existing project. Returns the user's first key. */
  'users.add': {
    summary: 'add a user with an access key to a project',
    danger: 'changes',
    commands: [
      {
        usage: 'admin users add <user>',
        more:
          'The project must exist: see `holdfast admin projects add`. A user with full access may set legal holds, shorten ' +
          'retention and bypass GOVERNANCE retention. A group can grant full access, too.',
        examples: [
          'holdfast admin users add restic && holdfast admin credentials --env --key holdfast:restic@local',
          'holdfast admin users add photos:ann --full-access',
          'holdfast admin users add photos:ann@acme',
        ],
        options: {
          fullAccess: 'let the user set legal holds and bypass GOVERNANCE retention',
          again:
            'reuse the name of a removed user, with the permissions that other users granted to it',
        },
      },
    ],

    params: namedUserSchema.required({ user: true }).extend({ fullAccess: z.boolean(), again }),
    result: keySchema,
  },
  /**
   * Removes a user and the user's keys from the project. Rejects with `Conflict` if the user owns buckets, or if jobs
   * act for the user.
   */
  'users.remove': {
    summary: 'remove a user and all of its access keys from a project',
    danger: 'destroys',
    commands: [
      {
        usage: 'admin users remove <user>',
        more:
          'Fails while the user owns buckets, and for the last user with full access. Objects remain. The name stays ' +
          'reserved, because permissions may still name it: see --again of `holdfast admin users add`.',
        examples: [
          'holdfast admin users remove ann',
          'holdfast admin users remove photos:ann@acme',
        ],
        destroys: 'remove user {user} with all access keys',
        done: 'removed user {user}; its access keys are no longer valid',
      },
    ],
    params: namedUserSchema.required({ user: true }),
    result: empty,
  },
  /** Grants or revokes full access. Full access through a group stays unchanged. */
  'users.grant': {
    summary: 'grant full access to a user, or revoke it',
    danger: 'changes',
    commands: [
      {
        usage: 'admin users grant <user>',
        summary: 'grant a user full access to the buckets of the project',
        examples: ['holdfast admin users grant ann'],
        set: { fullAccess: true },
      },
      {
        usage: 'admin users revoke <user>',
        summary: 'revoke full access of a user; access through groups remains',
        examples: ['holdfast admin users revoke ann'],
        set: { fullAccess: false },
      },
    ],

    params: namedUserSchema.required({ user: true }).extend({ fullAccess: z.boolean() }),
    result: userSchema,
  },
  /** Disables or enables a user in all projects of the customer. */
  'users.disable': {
    summary: 'disable a user in all projects of the customer, or enable it',
    danger: 'changes',
    commands: [
      {
        usage: 'admin users disable <user>',
        summary: 'reject all access keys of a user until the user is enabled again',
        more: 'In all projects of the customer.',
        examples: ['holdfast admin users disable ann'],
        set: { disabled: true },
      },
      {
        usage: 'admin users enable <user>',
        summary: 'accept the access keys of a disabled user again',
        examples: ['holdfast admin users enable ann'],
        set: { disabled: false },
      },
    ],

    params: namedUserSchema.required({ user: true }).extend({ disabled: z.boolean() }),
    result: userSchema,
  },
} as const;
