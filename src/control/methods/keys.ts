/** Defines the control methods for access keys of the embedded store. Only `credentials` returns a secret. */

import { z } from 'zod';

import { empty, namedUserSchema } from './people.ts';

const accessKeyId = z.string().min(1).max(256);

/**
 * The longest time that a replaced key stays valid: 90 days. It is long enough to replace the key everywhere, but a
 * replaced key must not stay valid for years.
 */
export const MAX_GRACE_MS = 90 * 86_400_000;

export const keySchema = z.object({
  accessKeyId: z.string(),
  user: z.string(),
  project: z.string(),
  customer: z.string(),
  fullAccess: z.boolean(),
  /** Whether the key's user is disabled. While it is, requests with the key are rejected. */
  disabled: z.boolean(),
  createdAt: z.number(),
  /** When the key expires, in milliseconds since 1970. Absent if the key does not expire. */
  expiresAt: z.number().optional(),
});

export const KEY_METHODS = {
  credentials: {
    summary: 'return an access key with its secret, and the endpoints of this machine',
    danger: 'reads',

    /** If `accessKeyId` is absent, selects the newest key of the user that the daemon acts for. */
    params: z.object({ accessKeyId: accessKeyId.optional() }),
    result: z.object({
      accessKeyId: z.string(),
      secretAccessKey: z.string(),
      region: z.string(),
      endpointUrl: z.string(),
      /** The HTTPS URL of the embedded store. Present if HTTPS is configured. */
      tlsEndpointUrl: z.string().optional(),
      /** The URL of the local cluster service. Absent if the cluster service is not listening. */
      clusterUrl: z.string().optional(),
      projectId: z.string(),
    }),
  },
  'keys.list': {
    summary: 'list the access keys that are valid',
    danger: 'reads',
    commands: [
      {
        usage: 'admin keys list',
        examples: [
          'holdfast admin keys list',
          'holdfast admin keys list --json | jq .result.keys[]',
        ],
        none: 'no access keys: create one with `holdfast admin keys add`',
      },
    ],
    params: empty,
    result: z.object({ keys: z.array(keySchema) }),
  },
  /** Creates an additional key for a user. */
  'keys.add': {
    summary: 'create another access key for a user',
    danger: 'changes',
    commands: [
      {
        usage: 'admin keys add [user]',
        more:
          'Without USER, for you. A new user has one key (`holdfast admin users add`); a user can have two valid keys at a ' +
          'time. USER is NAME or PROJECT:NAME@CUSTOMER.',
        examples: [
          'holdfast admin keys add',
          'holdfast admin keys add ann',
          'holdfast admin keys add photos:ann@acme',
        ],
      },
    ],
    params: namedUserSchema,
    result: keySchema,
  },
  /**
   * Creates a key that replaces an old key. The old key stays valid for `graceMs` milliseconds. If `accessKeyId` is
   * absent, replaces the newest key of the user that the daemon acts for.
   */
  'keys.rotate': {
    summary: 'create an access key that replaces an old one',
    danger: 'destroys',
    commands: [
      {
        usage: 'admin keys rotate [key]',
        more: 'Without KEY, replaces your newest one. A running daemon uses the new key at once; jobs need no key.',
        examples: [
          'holdfast admin keys rotate                # both keys are valid for 24 hours',
          'holdfast admin keys rotate --grace 7d',
          "holdfast admin keys rotate 'holdfast:restic@local' --grace 0   # after a secret leaked",
        ],
        members: { key: 'accessKeyId' },
        options: {
          graceMs: {
            summary: 'how long the old key remains valid, such as 24h, 7d or 0',
            default: '24h',
          },
        },
        destroys: 'end access key {key|in use} at once',
        destroysIf: { graceMs: 0 },
      },
    ],

    params: z.object({
      accessKeyId: accessKeyId.optional(),
      graceMs: z.number().int().min(0).max(MAX_GRACE_MS),
    }),
    result: z.object({ key: keySchema, old: keySchema }),
  },
  'keys.remove': {
    summary: 'remove an access key at once',
    danger: 'destroys',
    commands: [
      {
        usage: 'admin keys remove <key>',
        more: 'The buckets and objects of its user remain.',
        examples: ["holdfast admin keys remove 'holdfast:restic@local'"],
        members: { key: 'accessKeyId' },
        destroys: 'remove access key {key}',
        done: 'removed access key {key}',
      },
    ],
    params: z.object({ accessKeyId }),
    result: empty,
  },
} as const;
