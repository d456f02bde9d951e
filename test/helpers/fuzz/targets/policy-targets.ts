/** Fuzz targets that parse bucket policies and evaluate them for an anonymous request. */

import * as fc from 'fast-check';

import { allow } from '../../../../src/engine/access/access.ts';
import { askedOfList } from '../../../../src/engine/access/condition-values.ts';
import type { BucketRow } from '../../../../src/engine/schema/rows.ts';
import { allowWrite, type AskedWrite } from '../../../../src/engine/access/write-access.ts';
import type { Caller } from '../../../../src/object-store/caller.ts';
import {
  MAX_POLICY_BYTES,
  parsePolicy,
} from '../../../../src/object-store/rules/access/parse-policy.ts';
import { readJson } from '../../../../src/object-store/rules/strict-json.ts';
import { unlessRefused } from '../law.ts';
import {
  DOCUMENT_BUDGET_MS,
  REQUEST_BUDGET_MS,
  type FuzzInput,
  type FuzzTarget,
  type FuzzWork,
} from '../target.ts';

const NAME = 'a-bucket';
const BUCKET: BucketRow = {
  bucketId: 1,
  name: NAME,
  project: 'p1',
  user: 'ada',
  customer: 'c1',
  createdAt: 0,
  objectLock: 0,
  versioning: null,
  defaultMode: null,
  defaultDays: null,
  defaultYears: null,
  acl: null,
  policy: null,
  publicAccessBlock: null,
};

/**
 * Maximum length of a header value. A request head, with its request line and header names, has at
 * most 16 KiB.
 */
const MAX_VALUE_CHARACTERS = 15_000;
const MAX_KEY_CHARACTERS = 1024;

const statement = (members: object) => ({
  Effect: 'Allow',
  Principal: '*',
  Action: 's3:*',
  Resource: `arn:aws:s3:::${NAME}/*`,
  ...members,
});
const policyOf = (...statements: readonly object[]) =>
  JSON.stringify({ Version: '2012-10-17', Statement: statements.map(statement) });

/**
 * Policies, one for each kind of comparison. Each policy denies the request, so that the engine
 * evaluates all of it.
 */
const POLICIES = [
  policyOf({ Condition: { StringLike: { 's3:if-match': ['*ab?*z', '*b*'] } } }),
  policyOf({ Condition: { StringLike: { 'aws:UserAgent': ['*a?z', 'x*'] } } }),
  policyOf({ Condition: { StringLike: { 'aws:UserAgent': ['*${aws:Referer}b*', '*z'] } } }),
  policyOf({ Condition: { StringLike: { 's3:if-match': '*${s3:if-match}b*' } } }),
  policyOf({
    Condition: { 'ForAnyValue:StringLike': { 's3:RequestObjectTagKeys': ['*ab', 'b'] } },
  }),
  policyOf({ Condition: { StringEqualsIgnoreCase: { 's3:x-amz-copy-source': ['ab', 'cd'] } } }),
  policyOf({ Condition: { StringNotLike: { 's3:x-amz-grant-read': ['*a*', '*id*'] } } }),
  policyOf({
    Condition: { ArnLike: { 'aws:UserAgent': ['arn:aws:iam:*:a:b*', 'arn:a:b:c:d:*e'] } },
  }),
  policyOf({ Condition: { NumericEquals: { 's3:max-keys': ['1', '2e3'] } } }),
  policyOf({ Condition: { IpAddress: { 'aws:SourceIp': ['10.0.0.0/8', '2001:db8::/32'] } } }),
  policyOf({ Condition: { DateLessThan: { 'aws:CurrentTime': ['2020-01-01T00:00:00Z', '1'] } } }),
  policyOf({
    Condition: { StringLike: { 's3:prefix': ['*a?*', 'b*'] } },
    Resource: 'arn:aws:s3:::*',
  }),
  policyOf({ Resource: [`arn:aws:s3:::${NAME}/*ab*c`, `arn:aws:s3:::${NAME}/d*`] }),
  policyOf({ Resource: `arn:aws:s3:::${NAME}/*\${aws:UserAgent}b*` }),
  policyOf(
    { NotResource: [`arn:aws:s3:::${NAME}/*ab*c`, '*'] },
    { Effect: 'Deny', Principal: { AWS: ['p:u@c'] } },
  ),
];
const POLICY_TOKENS = [
  '"*ab*",',
  '"*?a*z",',
  '"${s3:if-match}",',
  '*',
  '?',
  '${',
  '}',
  '${aws:Referer}',
  '{"Effect":"Deny",',
  '"Deny"',
  '"StringNotLike":',
  '"s3:if-match":',
  '"aws:UserAgent":',
  '[',
  ']',
  '{',
  '}',
  ',',
  '"',
  '\\u0061',
  'ForAllValues:',
  'IfExists',
  '😀',
];
const VALUE_TOKENS = [
  'a',
  'b',
  'aaaaaaaa',
  'ab',
  'z',
  'arn:aws:iam:::',
  '\u{1f600}',
  '*',
  '?',
  ':',
];

const caller = (given: Partial<Caller>): Caller => ({
  principal: { kind: 'anonymous' },
  sourceIp: '203.0.113.9',
  secure: false,
  userAgent: 'agent',
  authType: 'anonymous',
  signedAt: 0,
  ...given,
});

/**
 * Functions by condition key. Each function puts a value into the header or query parameter that
 * the condition key reads.
 */
const SAID: readonly (readonly [key: string, said: (value: string) => Said])[] = [
  ['s3:if-match', (value) => ({ write: { conditions: { ifMatch: value } } })],
  [
    's3:x-amz-grant-',
    (value) => ({ write: { acl: { grants: [{ grantee: value, permission: 'READ' }] } } }),
  ],
  ['s3:x-amz-copy-source', (value) => ({ write: { source: { bucket: NAME, key: value } } })],
  ['s3:requestobjecttag', (value) => ({ write: { tags: [{ key: value, value }] } })],
  ['aws:useragent', (value) => ({ caller: { userAgent: value } })],
  ['aws:referer', (value) => ({ caller: { wire: { referer: value } } })],
];

interface Said {
  readonly write?: Partial<AskedWrite>;
  readonly caller?: Partial<Caller>;
}

/**
 * Evaluates an anonymous request that has `value` in every header and parameter that the policy
 * compares. All of them together must fit into the request head.
 */
function request(row: BucketRow, policy: string, { key = '', value = '' }: FuzzInput): void {
  const compared = SAID.filter(([name]) => policy.toLowerCase().includes(name));
  const share = value.slice(0, Math.floor(MAX_VALUE_CHARACTERS / (compared.length || 1)));
  const said = compared.map(([, of]) => of(share));
  const asking = caller(Object.assign({}, ...said.map((each) => each.caller)) as Partial<Caller>);
  if (policy.toLowerCase().includes('s3:prefix')) {
    const asked = askedOfList({ prefix: share });
    return allow(asking, row, { action: 'ListBucket', asked });
  }
  const write = Object.assign({}, ...said.map((each) => each.write)) as Partial<AskedWrite>;
  allowWrite(asking, row, { key, ...write }, () => undefined);
}

/**
 * Returns the evaluation of a policy. The policy is parsed before the measurement, because the
 * engine caches parsed policies.
 */
function decision(policy: string, input: FuzzInput): FuzzWork {
  parsePolicy(policy, NAME);
  const row = { ...BUCKET, policy };
  const decide = () => request(row, policy, input);
  unlessRefused(decide);
  return decide;
}

const policy = {
  valid: fc.constantFrom(...POLICIES),
  tokens: POLICY_TOKENS,
  maxLength: MAX_POLICY_BYTES,
};
const value = {
  valid: fc.constantFrom('aaaa', 'abab', 'arn:aws:iam:a:b:c', '1'),
  tokens: VALUE_TOKENS,
  maxLength: MAX_VALUE_CHARACTERS,
};
const key = {
  valid: fc.constantFrom('k', 'a/b'),
  tokens: VALUE_TOKENS,
  maxLength: MAX_KEY_CHARACTERS,
};

export const POLICY_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'JSON',
    budgetMs: DOCUMENT_BUDGET_MS,
    fields: { json: policy },
    prepare:
      ({ json = '' }) =>
      () =>
        readJson(json, { maxBytes: MAX_POLICY_BYTES, maxDepth: 10 }),
  },
  {
    name: 'policy document',
    budgetMs: DOCUMENT_BUDGET_MS,
    fields: { policy },
    prepare:
      ({ policy: text = '' }) =>
      () =>
        parsePolicy(text, NAME),
  },
  {
    name: 'policy decision',
    budgetMs: REQUEST_BUDGET_MS,
    fields: { policy, value, key },
    prepare: ({ policy: text = '', ...input }) => decision(text, input),
  },
  {
    name: 'policy pattern',
    budgetMs: REQUEST_BUDGET_MS,
    fields: {
      pattern: {
        valid: fc.constantFrom('*a?b*', '*${s3:if-match}b*', '${aws:UserAgent}*c'),
        tokens: POLICY_TOKENS,
        maxLength: MAX_POLICY_BYTES - 200,
      },
      value,
      key,
    },
    prepare: ({ pattern = '', ...input }) => {
      const like = { 's3:if-match': pattern, 'aws:UserAgent': pattern };
      const either = Object.entries(like).map(([name, text]) => ({
        Condition: { StringLike: { [name]: text } },
      }));
      return decision(policyOf(...either), input);
    },
  },
];
