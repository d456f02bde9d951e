/** Declares the control methods on the CORS rules of a bucket. */

import { z } from 'zod';

import { empty } from './people.ts';
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
  'cors.get': { params: z.object({ bucket, ...atTarget }), result: z.object({ rules }) },
  /** Replaces the CORS rules of the bucket. The first rule that matches a request applies. */
  'cors.set': { params: z.object({ bucket, rules, ...atTarget }), result: empty },
  'cors.remove': { params: z.object({ bucket, ...atTarget }), result: empty },
} as const;
