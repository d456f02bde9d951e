/** Methods on buckets as websites. */

import { z } from 'zod';

import { empty } from './people.ts';
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

/** Where it is, and what of it a visitor gets to see: `off` where the configuration serves no websites, `unknown` of a target. */
const shown = {
  url: z.string().optional(),
  state: z.enum(['served', 'no index', 'not public', 'off', 'unknown']),
};

export const WEBSITE_METHODS = {
  'website.get': {
    params: z.object({ bucket, ...atTarget }),
    result: z.object({ ...shown, website: websiteSchema }),
  },
  'website.set': {
    /** `public`: everyone may read and list the bucket, by a statement of its policy. */
    params: z.object({ bucket, website: websiteSchema, public: z.boolean(), ...atTarget }),
    result: z.object(shown),
  },
  /** What everyone may read stays so. */
  'website.remove': { params: z.object({ bucket, ...atTarget }), result: empty },
} as const;
