/** Defines the control methods for the CORS rules of a bucket. */

import { z } from 'zod';

import { empty, removed } from './people.ts';
import { atTarget } from './target.ts';

const bucket = z.string().min(1).max(255);
const texts = z.array(z.string()).readonly();

export const corsRuleSchema = z.object({
  id: z.string().optional(),
  allowedOrigins: texts,
  allowedMethods: z.array(z.enum(['GET', 'PUT', 'POST', 'DELETE', 'HEAD'])).readonly(),
  allowedHeaders: texts.optional(),
  exposeHeaders: texts.optional(),
  maxAgeSeconds: z.number().optional(),
});

const rules = z.array(corsRuleSchema).readonly();

export const CORS_METHODS = {
  'cors.get': {
    summary: 'return the CORS rules of a bucket',
    danger: 'reads',
    commands: [
      {
        usage: 's3 cors get <bucket>',
        summary: 'print the CORS rules of a bucket',
        examples: [
          'holdfast s3 cors get photos',
          'holdfast s3 cors get photos --json | jq .result > cors.json',
        ],
      },
    ],
    params: z.object({ bucket, ...atTarget }),
    result: z.object({ rules }),
  },
  /** Replaces the CORS rules of the bucket. For each request, the first matching rule applies. */
  'cors.set': {
    summary: 'replace the CORS rules of a bucket',
    danger: 'destroys',
    params: z.object({ bucket, rules, ...atTarget }),
    result: empty,
  },
  'cors.remove': {
    summary: 'remove all CORS rules of a bucket',
    danger: 'destroys',
    commands: [
      {
        usage: 's3 cors remove <bucket>',
        examples: ['holdfast s3 cors remove photos'],
        destroys: 'remove the CORS rules of bucket {bucket}',
        done: 'removed the CORS rules of bucket {bucket}',
        absent: 'nothing to remove: bucket {bucket} has no CORS rules',
      },
    ],
    params: z.object({ bucket, ...atTarget }),
    result: removed,
  },
} as const;
