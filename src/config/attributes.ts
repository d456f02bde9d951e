/**
 * Defines the schema of `attributes`: headers, tags and ACLs that a job sets on its objects, such as `attributes:
 * [{match: '*.html', headers: …, tags: …, acl: …}]`.
 */

import { z } from 'zod';

/** The maximum number of rules. Each rule is compared with every key. */
const MAX_RULES = 100;
const MAX_PATTERN_CHARACTERS = 4_096;
/** The maximum length of a header value. All headers of an object together may have about 8 KB. */
const MAX_HEADER_CHARACTERS = 1_024;
/** The maximum number of tags of an object (specification, "Tagging"). */
const MAX_TAGS = 10;
const MAX_TAG_KEY_CHARACTERS = 128;
const MAX_TAG_VALUE_CHARACTERS = 256;

const HEADERS = {
  'Cache-Control': 'cacheControl',
  'Content-Disposition': 'contentDisposition',
  'Content-Encoding': 'contentEncoding',
  'Content-Language': 'contentLanguage',
  'Content-Type': 'contentType',
  Expires: 'expires',
} as const;

type HeaderName = keyof typeof HEADERS;
type HeaderMember = (typeof HEADERS)[HeaderName];

const headersSchema = z
  .partialRecord(
    z.enum(Object.keys(HEADERS) as [HeaderName, ...HeaderName[]]),
    z
      .string()
      .regex(/^[ -~]+$/, 'must be printable ASCII')
      .max(MAX_HEADER_CHARACTERS),
  )
  .transform((headers) => {
    const members: Partial<Record<HeaderMember, string>> = {};
    for (const [name, value] of Object.entries(headers))
      members[HEADERS[name as HeaderName]] = value;
    return members;
  });

const TAG_TEXT = /^[\p{L}\p{N}\p{Z}+\-=._:/@]*$/u;
const TAG_REASON = 'must be letters, digits, spaces and + - = . _ : / @';

const tagsSchema = z
  .record(
    z
      .string()
      .min(1, 'must not be empty')
      .max(MAX_TAG_KEY_CHARACTERS)
      .regex(TAG_TEXT, TAG_REASON)
      .refine((key) => !/^aws:/i.test(key), 'must not begin with aws:'),
    z.string().max(MAX_TAG_VALUE_CHARACTERS).regex(TAG_TEXT, TAG_REASON),
  )
  .refine((tags) => Object.keys(tags).length <= MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
  .transform((tags) => Object.entries(tags).map(([key, value]) => ({ key, value })));

const ruleShape = z.strictObject({
  match: z
    .string()
    .min(1, 'must not be empty')
    .max(MAX_PATTERN_CHARACTERS)
    .refine(
      (pattern) => !pattern.startsWith('!'),
      'must not start with !; add a rule for the other files',
    ),
  headers: headersSchema.optional(),
  tags: tagsSchema.optional(),
  acl: z
    .enum([
      'private',
      'public-read',
      'public-read-write',
      'authenticated-read',
      'bucket-owner-read',
      'bucket-owner-full-control',
    ])
    .optional(),
});

export const attributesSchema = z
  .array(ruleShape)
  .max(MAX_RULES, `must have at most ${MAX_RULES} rules`)
  .default([]);

/** A parsed rule of `attributes`. */
export type AttributesRule = z.output<typeof ruleShape>;
