/** Defines the control methods for the websites of buckets. */

import { z } from 'zod';

import { removed } from './people.ts';
import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
const protocol = z.enum(['http', 'https']).optional();

export const routingRuleSchema = z.object({
  condition: z
    .object({ keyPrefix: z.string().optional(), errorStatus: z.number().optional() })
    .optional(),
  redirect: z.object({
    protocol,
    hostName: z.string().optional(),
    replaceKeyPrefixWith: z.string().optional(),
    replaceKeyWith: z.string().optional(),
    status: z.number().optional(),
  }),
});

export const websiteSchema = z.object({
  indexSuffix: z.string().optional(),
  errorKey: z.string().optional(),
  redirectAll: z.object({ hostName: z.string(), protocol }).optional(),
  routingRules: z.array(routingRuleSchema).readonly().optional(),
});

/**
 * The URL of the website, and whether visitors can read it. `no index`: the index document does not exist.
 * `not public`: visitors have no permission to read it. `off`: no website is served, because the configuration does
 * not enable it. `unknown`: the bucket belongs to a target.
 */
const shown = {
  url: z.string().optional(),
  state: z.enum(['served', 'no index', 'not public', 'off', 'unknown']),
};

export const WEBSITE_METHODS = {
  'website.get': {
    summary: 'return the website configuration of a bucket, and whether visitors can read it',
    danger: 'reads',

    params: z.object({ bucket, ...atTarget }),
    result: z.object({ ...shown, website: websiteSchema }),
  },
  'website.set': {
    summary: 'serve a bucket as a website',
    danger: 'changes',

    /** `public` allows anyone to read and list the bucket, through a statement in the bucket policy. */
    params: z.object({ bucket, website: websiteSchema, public: z.boolean(), ...atTarget }),
    result: z.object(shown),
  },
  /** Removes the website configuration of a bucket. Public access to the bucket stays unchanged. */
  'website.remove': {
    summary: 'remove the website configuration of a bucket',
    danger: 'destroys',
    commands: [
      {
        usage: 's3 website remove <bucket>',
        summary: 'stop serving a bucket as a website',
        more: 'Permissions do not change: see `holdfast s3 policy`.',
        examples: ['holdfast s3 website remove pages'],
        destroys: 'remove the website of bucket {bucket}',
        done: 'removed the website configuration of bucket {bucket}; permissions are unchanged',
        absent: 'nothing to remove: bucket {bucket} has no website configuration',
      },
    ],
    params: z.object({ bucket, ...atTarget }),
    result: removed,
  },
} as const;
