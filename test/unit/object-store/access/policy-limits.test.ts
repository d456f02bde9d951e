/**
 * Tests of the limits on policy evaluation. A request that exceeds a limit is denied, whatever the
 * policy allows.
 */

import { queryObjects } from 'node:v8';

import { describe, expect, test } from 'vitest';

import type { Principal } from '../../../../src/base/principal.ts';
import {
  type AccessRequest,
  decideAccess,
} from '../../../../src/object-store/rules/access/decide.ts';
import {
  checkNewPolicy,
  parsePolicy,
} from '../../../../src/object-store/rules/access/parse-policy.ts';
import type { Condition } from '../../../../src/object-store/rules/access/policy-conditions.ts';
import {
  DECISION_STEPS,
  PolicyWork,
} from '../../../../src/object-store/rules/access/policy-work.ts';
import { refusal } from '../refusal.ts';

const anonymous: Principal = { kind: 'anonymous' };
const owner = { project: 'p1', user: 'ada', customer: 'c1' };
const ALL = 'arn:aws:s3:::box/*';

const statement = (members: object) =>
  Object.assign({ Effect: 'Allow', Principal: '*', Action: 's3:*', Resource: ALL }, members);
const parsed = (...statements: readonly object[]) =>
  parsePolicy(JSON.stringify({ Version: '2012-10-17', Statement: statements }), 'box');
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index));

interface Asked extends Partial<AccessRequest> {
  readonly key?: string;
}

/** Decides on an anonymous put of the key with the given condition values. */
function decide(
  policy: ReturnType<typeof parsed>,
  values: Readonly<Record<string, string>>,
  { key = 'k', ...more }: Asked = {},
) {
  const conditions = new Map(Object.entries(values).map(([name, value]) => [name, [value]]));
  const bucket = { name: 'box', owner, policy };
  const question = { principal: anonymous, action: 'PutObject', bucket, conditions } as const;
  return decideAccess({ ...question, object: { key }, ...more });
}

describe('length limits of request values in policies', () => {
  const like = (value: string) =>
    statement({ Condition: { StringLike: { 's3:if-match': value } } });

  test('[policy-36] the store denies a request with a compared value above 1,024 characters and names the condition key', () => {
    const policy = parsed(like('a*'));
    expect(decide(policy, { 's3:if-match': 'a'.repeat(1024) }).allowed).toBe(true);
    expect(decide(policy, { 's3:if-match': 'a'.repeat(1025) })).toEqual({
      allowed: false,
      by: {
        kind: 'limit',
        why: 's3:if-match has 1025 characters, and policies compare at most 1024',
      },
    });
  });

  test('[policy-36] a client cannot evade a Deny on the end of a request value by making the value too long', () => {
    const policy = parsed(statement({}), {
      ...statement({ Condition: { StringLike: { 's3:x-amz-grant-read': '*id=p9@c9' } } }),
      Effect: 'Deny',
    });
    const grants = `id=p2@c2,`.repeat(200) + 'id=p9@c9';
    expect(decide(policy, { 's3:x-amz-grant-read': grants }).by.kind).toBe('limit');
  });

  test('[policy-36] the store denies a request if a policy variable uses a request value that is too long', () => {
    const policy = parsed(statement({ Resource: 'arn:aws:s3:::box/${s3:if-match}*' }));
    expect(decide(policy, { 's3:if-match': 'a'.repeat(1025) }).by.kind).toBe('limit');
  });

  test('the store allows any length of a request value that no policy compares', () => {
    expect(decide(parsed(statement({})), { 's3:if-match': 'a'.repeat(15_000) }).allowed).toBe(true);
  });
});

/** Conditions of policies that were stored before the number of patterns was limited. */
const HOSTILE: readonly (readonly [what: string, condition: object])[] = [
  ['1,400 patterns', { 's3:if-match': times(1400, (index) => `*a?${index}z*`) }],
  [
    '700 patterns with a variable',
    { 's3:if-match': times(700, (index) => `*\${s3:if-match}${index}*`) },
  ],
  ['a thousand variables', { 's3:if-match': ['*${aws:UserAgent}'.repeat(1000)] }],
  ['one long pattern with many wildcards', { 's3:if-match': ['*a'.repeat(400) + 'b'] }],
  ['long literals', { 's3:if-match': times(30, (index) => `*${'a'.repeat(500)}${index}*`) }],
];

test('[policy-37] the store does not keep evaluated policy conditions of a bulk delete in memory', () => {
  class Costly implements Condition {
    readonly operator = 'StringEquals';
    readonly key = 'aws:useragent';
    readonly values = [];
    readonly ofObject = false;
    holds = () => true;
  }
  const work = new PolicyWork();
  for (let policy = 0; policy < 100; policy++) work.holds(new Costly(), new Map());
  expect(queryObjects(Costly, { format: 'count' })).toBeLessThan(10);
});

describe('step limits of access decisions', () => {
  test.each(HOSTILE)(
    '[policy-36] an access decision exceeds its step limit by fewer than 1,100 steps for a policy condition with %s',
    (_, values) => {
      const deny = { ...statement({ Condition: { StringLike: values } }), Effect: 'Deny' };
      const work = new PolicyWork();
      const request = { 's3:if-match': 'a'.repeat(1024), 'aws:useragent': 'a' };
      decide(parsed(deny, statement({})), request, { work });
      expect(work.budget.spent).toBeLessThan(DECISION_STEPS + 1100);
    },
  );

  test('[policy-36] the store denies a request whose access decision exceeds the step limit, even if an Allow precedes the Deny', () => {
    const patterns = times(2000, () => '*a?z*');
    const deny = {
      ...statement({ Condition: { StringLike: { 's3:if-match': patterns } } }),
      Effect: 'Deny',
    };
    const request = { 's3:if-match': 'a'.repeat(1024) };
    expect(decide(parsed(statement({}), deny), request)).toEqual({
      allowed: false,
      by: { kind: 'limit', why: `more than ${DECISION_STEPS} steps` },
    });
  });

  test('[policy-36] 200 typical patterns need less than half of the step limit for any text', () => {
    const forms = ['Mozilla/?.0 *', '*Firefox/*', '*-bot', 'curl/*', '*Linux*Chrome*'];
    const patterns = times(199, (index) => forms[index % 5] + (index < 5 ? '' : `${index}`));
    const policy = parsed(statement({ Condition: { StringLike: { 'aws:useragent': patterns } } }));
    for (const text of ['Mozilla/5.0 (X11; Linux x86_64) '.repeat(32), 'Linux'.repeat(204)]) {
      const work = new PolicyWork();
      expect(decide(policy, { 'aws:useragent': text }, { work }).by.kind).not.toBe('limit');
      expect(work.budget.spent).toBeLessThan(DECISION_STEPS / 2);
    }
  });

  test('[policy-37] the store evaluates a policy condition only once for a bulk delete unless it depends on the object', () => {
    const patterns = times(100, () => '*a?z*');
    const stepsOf = (key: string, count: number) => {
      const condition = { StringLike: { [key]: patterns } };
      const policy = parsed({ ...statement({ Condition: condition }), Effect: 'Deny' });
      const work = new PolicyWork(100_000_000);
      const values = { [key.toLowerCase()]: 'a'.repeat(1024) };
      for (let index = 0; index < count; index++) {
        decide(policy, values, { key: `k${index}`, action: 'DeleteObject', work });
      }
      return work.budget.spent;
    };
    const once = stepsOf('aws:useragent', 1);
    expect(stepsOf('aws:useragent', 300)).toBeLessThan(once + 300 * 20);
    for (const key of ['s3:VersionId', 's3:existingobjecttag/a']) {
      expect(stepsOf(key, 3)).toBeGreaterThan(3 * once - 100);
    }
  });

  test('[policy-37] the store evaluates a policy condition with an object variable for each key of a bulk delete', () => {
    const condition = { StringEquals: { 'aws:username': '${s3:VersionId}' } };
    const policy = parsed(statement({ Condition: condition }));
    const work = new PolicyWork();
    const may = (version: string) =>
      decide(policy, { 'aws:username': 'v1', 's3:versionid': version }, { work }).allowed;
    expect([may('v1'), may('v2'), may('v1')]).toEqual([true, false, true]);
  });
});

describe('limits of new policies', () => {
  const check = (policy: ReturnType<typeof parsed>) =>
    refusal(() => checkNewPolicy(policy, { exists: () => true }));
  const values = (count: number) =>
    statement({
      Action: 's3:GetObject',
      Resource: 'arn:aws:s3:::box/k',
      Condition: { StringLike: { 'aws:UserAgent': times(count, (index) => `*${index}`) } },
    });

  test('[policy-38] the store accepts a new policy with 200 patterns', () => {
    expect(check(parsed(values(200)))).toBeUndefined();
  });

  test.each([
    ['values', [values(201)]],
    [
      'variables',
      [
        values(200),
        statement({ Action: 's3:GetObject', Resource: 'arn:aws:s3:::box/${aws:username}' }),
      ],
    ],
    ['resources', [values(200), statement({ Action: 's3:GetObject' })]],
    ['actions', [values(200), statement({ Action: 's3:Get*', Resource: 'arn:aws:s3:::box/k' })]],
  ])(
    '[policy-38] the store refuses a new policy with 201 patterns, including its %s, and states the number and the limit',
    (_, statements) => {
      const error = check(parsed(...statements));
      expect(error?.code).toBe('MalformedPolicy');
      expect(error?.message).toContain('201 patterns');
      expect(error?.message).toContain('the limit is 200');
    },
  );

  test('[policy-38] the store accepts any number of values without wildcards, such as addresses, in a new policy', () => {
    const addresses = times(400, (index) => `192.0.2.${index % 256}`);
    const condition = {
      IpAddress: { 'aws:SourceIp': addresses },
      StringEquals: { 'aws:UserAgent': times(400, String) },
    };
    expect(check(parsed(statement({ Condition: condition })))).toBeUndefined();
  });

  test('[policy-38] the store accepts a policy with 600 action patterns in 60 statements', () => {
    const actions = ['Get*', 'Put*', 'List*', 'Delete*', '*Acl', '*Tagging', '*Object', '*Version'];
    const written = [...actions, 'Abort*', '*Retention'].map((each) => `s3:${each}`);
    const statements = Array.from({ length: 60 }, () => statement({ Action: written }));
    expect(parsed(...statements).statements).toHaveLength(60);
  });

  test('[policy-38] the store refuses a new policy if expanding its action patterns takes too many steps', () => {
    const name = 'putobjectversiontagging';
    // Each pattern contains letters of an action name, so that every pattern matches an action.
    const names = times(1100, (index) => {
      const [a, b, c] = [index % 8, (index >> 3) % 8, (index >> 6) % 7];
      return `s3:*${name[a]}*${name[8 + b]}*${name[16 + c]}*${index > 447 ? '*?*' : ''}${index > 895 ? '?*' : ''}`;
    });
    expect(refusal(() => parsed(statement({ Action: names })))?.message).toMatch(
      /steps to resolve$/,
    );
  });
});
