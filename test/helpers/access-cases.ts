/**
 * Generators of random access requests. They use only a few names, so that policies and ACLs often
 * match the caller.
 */

import * as fc from 'fast-check';

import { type Action, ACTIONS, actionRule } from '../../src/object-store/action.ts';
import type {
  NaiveBucket,
  NaiveGrant,
  NaiveObject,
  NaivePolicy,
  NaiveRequest,
  NaiveStatement,
} from './naive-access.ts';
import type { NaiveBlock, NaiveValues } from './naive-conditions.ts';

export interface AccessCase {
  readonly request: NaiveRequest & { readonly action: Action };
  readonly bucket: NaiveBucket;
  readonly object: NaiveObject | undefined;
}

export const BUCKET = 'box';
/**
 * Test users in the form `project:user@customer`. The last two are users named `ada` in another
 * project and at another customer.
 */
export const PEOPLE = ['p1:ada@c1', 'p1:bob@c1', 'p2:eve@c1', 'p2:ada@c1', 'p1:ada@c2'] as const;
const PROJECTS = ['p1@c1', 'p2@c1', 'p1@c2'] as const;
const KEYS = ['a', 'A', 'a/b', 'a/c', 'b', 'ada/x', 'ada/x', 'a*', 'a?b'] as const;

export const person = fc.constantFrom(...PEOPLE);
export const caller = fc.option(person, { nil: undefined, freq: 4 });
export const chance = (percent: number) =>
  fc.integer({ min: 0, max: 99 }).map((value) => value < percent);
/** Generates one value, or an array of one to three values, because a policy accepts both forms. */
export const some = <T>(each: fc.Arbitrary<T>) =>
  fc.oneof(each, fc.array(each, { minLength: 1, maxLength: 3 }));

const actionsOn = (kinds: readonly string[]) =>
  (Object.keys(ACTIONS) as Action[]).filter((action) => kinds.includes(actionRule(action).on));
/**
 * Actions that random policies and requests use. Actions that an ACL permission covers are drawn
 * more often.
 */
const LISTED = [
  ...actionsOn(['bucket', 'object']).filter(
    (action) => actionRule(action).permission !== undefined,
  ),
  ...(['DeleteObject', 'DeleteObjectVersion', 'DeleteBucket', 'PutObjectTagging'] as const),
  ...(['GetBucketPolicy', 'PutBucketPolicy', 'DeleteBucketPolicy'] as const),
];
const action = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...LISTED) },
  { weight: 1, arbitrary: fc.constantFrom(...actionsOn(['bucket', 'object', 'upload'])) },
);

const grant: fc.Arbitrary<NaiveGrant> = fc.record({
  grantee: fc.oneof(
    fc.constantFrom('AllUsers', 'AuthenticatedUsers'),
    person,
    fc.constantFrom(...PROJECTS),
  ),
  permission: fc.constantFrom('READ', 'WRITE', 'READ_ACP', 'WRITE_ACP', 'FULL_CONTROL'),
});
export const acl = fc.array(grant, { maxLength: 3 });

/**
 * Condition operators by value type. Each entry lists condition keys, operators, values for the
 * policy (`stated`) and values for the request (`given`).
 */
const KINDS: Readonly<Record<string, Kind>> = {
  String: {
    keys: [
      'aws:username',
      'aws:username',
      'aws:userid',
      'aws:userid',
      's3:prefix',
      's3:RequestObjectTagKeys',
      's3:ExistingObjectTag/team',
    ],
    operators: [
      'Equals',
      'NotEquals',
      'EqualsIgnoreCase',
      'NotEqualsIgnoreCase',
      'Like',
      'NotLike',
    ],
    stated: [
      'ada',
      'Ada',
      'a*',
      '?da',
      '*',
      '',
      '${aws:username}',
      '${aws:username}',
      '${*}',
      'a${?}a',
      '${s3:prefix}',
      '${$}',
    ],
    given: ['ada', 'ada', 'ada', 'ADA', 'bob', 'a*', '*', 'a?a', '', '${aws:username}', '$'],
  },
  Numeric: {
    keys: ['s3:max-keys', 's3:signatureAge'],
    operators: [
      'Equals',
      'NotEquals',
      'LessThan',
      'LessThanEquals',
      'GreaterThan',
      'GreaterThanEquals',
    ],
    stated: ['10', 10, '10.0', '10.0', '10.0', '-1', 9, '100', '10.5'],
    given: ['10', '10', '10', '10', '10', '9', '100', '-1', '10.5', 'x', ''],
  },
  Date: {
    keys: ['aws:CurrentTime', 'aws:EpochTime', 's3:object-lock-retain-until-date'],
    operators: [
      'Equals',
      'NotEquals',
      'LessThan',
      'LessThanEquals',
      'GreaterThan',
      'GreaterThanEquals',
    ],
    stated: [
      '2026-01-01T00:00:00Z',
      '2026-01-01',
      1767225600,
      '2025-12-31T23:59:59.500Z',
      '2027-06-01T00:00:00+02:00',
    ],
    given: [
      '2026-01-01T00:00:00Z',
      '2025-12-31T23:59:59.500Z',
      '1767225600',
      '2027-05-31T22:00:00.000Z',
      'x',
    ],
  },
  Bool: {
    keys: ['aws:SecureTransport'],
    operators: [''],
    stated: ['true', 'false', true, false, 'True'],
    given: ['true', 'false'],
  },
  IpAddress: {
    keys: ['aws:SourceIp'],
    operators: ['', 'Not'],
    stated: [
      '10.0.0.0/8',
      '10.0.0.0/7',
      '::ffff:10.0.0.0/103',
      '10.0.0.1',
      '10.0.0.4/30',
      '10.0.0.0/25',
      '2001:db8::/32',
      '2001::/16',
      '2001:db8::1',
      '0.0.0.0/0',
      '::/0',
      '10.1.2.3/16',
    ],
    given: [
      '10.0.0.1',
      '10.0.0.7',
      '10.0.0.200',
      '11.0.0.1',
      '10.1.0.1',
      '2001:db8::1',
      '2001:db9::1',
      '2001:db8:0:1::',
      '::ffff:10.0.0.1',
    ],
  },
  Arn: {
    keys: ['aws:PrincipalArn'],
    operators: ['Equals', 'NotEquals', 'Like', 'NotLike'],
    stated: [
      'arn:*:iam::p1:user/ada',
      'arn:aws:iam::p1:user/ada',
      'arn:aws:iam::*:user/ada',
      'arn:*:*:*:*:user/ada',
      'arn:aws:iam::p?:user/*',
      'arn:aws:*:*:*:*',
      'arn:aws:iam::p1:user/${aws:username}',
    ],
    given: [
      'arn:aws:iam::p1:user/ada',
      'arn:aws:iam::p2:user/ada',
      'arn:aws:iam::p1:user/bob:x',
      'arn:aws:x:iam::p1:user/ada',
      'arn:aws:s3:::x',
      'ada',
    ],
  },
};

interface Kind {
  readonly keys: readonly string[];
  readonly operators: readonly string[];
  readonly stated: readonly (string | number | boolean)[];
  readonly given: readonly string[];
}

const operatorName = (kind: string, operator: string) =>
  kind === 'IpAddress' ? operator + kind : kind + operator;

const condition: fc.Arbitrary<NaiveBlock> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom('String', 'Numeric', ...Object.keys(KINDS)).chain(compared),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...Object.values(KINDS)),
        fc.constantFrom('true', 'false', true, false),
      )
      .chain(([kind, stated]) =>
        fc.constantFrom(...kind.keys).map((key) => ({ Null: { [key]: stated } })),
      ),
  },
);

function compared(name: string): fc.Arbitrary<NaiveBlock> {
  const kind = KINDS[name]!;
  return fc
    .record({
      set: fc.constantFrom('', '', '', 'ForAnyValue:', 'ForAllValues:'),
      operator: fc.constantFrom(...kind.operators),
      suffix: fc.constantFrom('', '', 'IfExists'),
      key: fc.constantFrom(...kind.keys),
      upper: chance(20),
      stated: some(fc.constantFrom(...kind.stated)),
    })
    .map(({ set, operator, suffix, key, upper, stated }) => ({
      // Condition keys are case-insensitive, except for the tag name after a slash.
      [`${set}${operatorName(name, operator)}${suffix}`]: {
        [upper && !key.includes('/') ? key.toUpperCase() : key]: stated,
      },
    }));
}

/**
 * Generates one or two conditions. Two conditions have different operators, or are two keys of one
 * operator.
 */
const conditions = fc
  .array(condition, { minLength: 1, maxLength: 2 })
  .map(([first = {}, second = {}]) =>
    Object.fromEntries(
      [...new Set([...Object.keys(first), ...Object.keys(second)])].map((operator) => [
        operator,
        Object.assign({}, first[operator], second[operator]),
      ]),
    ),
  );

const values: fc.Arbitrary<NaiveValues> = fc
  .record(
    Object.fromEntries(
      Object.values(KINDS).flatMap((kind) =>
        kind.keys.map((key) => [
          key.toLowerCase(),
          fc.option(
            fc.array(fc.constantFrom(...kind.given), {
              minLength: 1,
              maxLength: key.endsWith('Keys') ? 3 : 1,
            }),
            {
              nil: undefined,
              freq: 3,
            },
          ),
        ]),
      ),
    ),
  )
  .map(
    (all) =>
      Object.fromEntries(
        Object.entries(all).filter(([, value]) => value !== undefined),
      ) as NaiveValues,
  );

const name = fc.oneof(
  fc.constant('*'),
  person
    .chain((id) => fc.constantFrom('', 'p1', 'c1').map((tenant) => ({ id, tenant })))
    .filter(
      ({ id, tenant }) => tenant === '' || id.startsWith(`${tenant}:`) || id.endsWith(`@${tenant}`),
    )
    .map(({ id, tenant }) => `arn:aws:iam::${tenant}:user/${id}`),
  fc.constantFrom(...PROJECTS),
);
export const principals = fc.oneof(
  { weight: 2, arbitrary: fc.constant('*' as const) },
  { weight: 5, arbitrary: fc.record({ AWS: some(name) }) },
);

/**
 * Generates wildcard patterns from `text`. Most patterns match `text`, and some also match other
 * texts.
 */
const patternsOf = (text: string, from: number): fc.Arbitrary<string> =>
  fc
    .record({
      at: fc.nat(text.length - from),
      end: fc.nat(2),
      wild: fc.constantFrom('*', '?', '**', '*?'),
    })
    .map(({ at, end, wild }) => text.slice(0, from + at) + wild + text.slice(from + at + end));

export const actionNames = (asked: string) =>
  some(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(`s3:${asked}`) },
      { weight: 1, arbitrary: fc.constant(`S3:${asked.toLowerCase()}`) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          's3:*',
          '*',
          's3:Get*',
          's3:Put*',
          's3:*Object*',
          's3:*bucket*',
          's3:?etObject',
          's3:*Version*',
        ),
      },
      { weight: 1, arbitrary: action.map((other) => `s3:${other}`) },
    ),
  );

export const resources = (key: string | undefined) => {
  const self = `arn:aws:s3:::${BUCKET}${key === undefined ? '' : `/${key}`}`;
  const prefix = `arn:aws:s3:::${BUCKET}`.length;
  return some(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(self) },
      { weight: 2, arbitrary: fc.constant(`arn:aws:s3:::${BUCKET}/*`) },
      {
        weight: 2,
        arbitrary: key === undefined ? fc.constant(self) : patternsOf(self, prefix + 1),
      },
      {
        weight: key?.startsWith('ada/') ? 6 : 1,
        arbitrary: fc.constant(`arn:aws:s3:::${BUCKET}/\${aws:username}/*`),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          `arn:aws:s3:::${BUCKET}`,
          `arn:aws:s3:::${BUCKET}/a\${*}`,
          `arn:aws:s3:::${BUCKET}/a?b`,
          `arn:aws:s3:::${BUCKET}/A`,
        ),
      },
    ),
  );
};

/**
 * Generates a policy element such as `{ Action: value }`. In 25 % of the cases it is the negated
 * element `{ NotAction: value }`.
 */
export const orNot = <T>(word: string, each: fc.Arbitrary<T>) =>
  fc.tuple(chance(25), each).map(([not, value]) => ({ [not ? `Not${word}` : word]: value }));

const statement = (asked: string, key: string | undefined): fc.Arbitrary<NaiveStatement> =>
  fc
    .tuple(
      fc.record({ Effect: fc.constantFrom('Allow', 'Allow', 'Deny') }),
      orNot('Principal', principals),
      orNot('Action', actionNames(asked)),
      orNot('Resource', resources(key)),
      fc.option(fc.record({ Condition: conditions }), { nil: {}, freq: 1 }),
    )
    .map((parts) => Object.assign({}, ...parts) as NaiveStatement);

const version = fc.constantFrom(undefined, '2012-10-17', '2012-10-17', '2008-10-17');

const policyFor = (asked: string, key: string | undefined): fc.Arbitrary<NaivePolicy> =>
  fc.record({ Version: version, Statement: some(statement(asked, key)) });

/**
 * Generates policies whose principal, action and resource match every request, so that only the
 * conditions decide.
 */
const conditionalPolicy: fc.Arbitrary<NaivePolicy> = fc.record({
  Version: version,
  Statement: fc.record({
    Effect: fc.constantFrom('Allow', 'Allow', 'Deny'),
    Principal: fc.constant('*'),
    Action: fc.constant('*'),
    Resource: fc.constant([`arn:aws:s3:::${BUCKET}`, `arn:aws:s3:::${BUCKET}/*`]),
    Condition: conditions,
  }),
});

/**
 * Generates policies that allow every action to all users if a condition holds. Some conditions
 * make the policy non-public.
 */
const narrowedPolicy: fc.Arbitrary<NaivePolicy> = fc.record({
  Version: version,
  Statement: fc.record({
    Effect: fc.constant('Allow'),
    Principal: fc.constant('*'),
    Action: fc.constant('*'),
    Resource: fc.constant([`arn:aws:s3:::${BUCKET}`, `arn:aws:s3:::${BUCKET}/*`]),
    Condition: fc.oneof(
      some(
        fc.constantFrom(
          '10.0.0.0/8',
          '10.0.0.0/7',
          '::ffff:10.0.0.0/103',
          '::ffff:10.0.0.0/104',
          '2001:db8::/32',
          '2001::/16',
        ),
      ).map((ranges) => ({ IpAddress: { 'aws:SourceIp': ranges } })),
      fc
        .record({
          operator: fc.constantFrom('StringEquals', 'StringLike', 'StringNotEquals'),
          key: fc.constantFrom('aws:username', 'aws:userid', 's3:prefix'),
          stated: some(fc.constantFrom('ada', 'bob', 'a*')),
        })
        .map(({ operator, key, stated }) => ({ [operator]: { [key]: stated } })),
      fc
        .record({
          operator: fc.constantFrom('ArnEquals', 'ArnLike', 'StringEquals'),
          stated: some(fc.constantFrom('arn:aws:iam::p1:user/ada', 'arn:aws:iam::*:user/ada')),
        })
        .map(({ operator, stated }) => ({ [operator]: { 'aws:PrincipalArn': stated } })),
    ),
  }),
});

interface Opened {
  readonly policy: NaivePolicy | undefined;
  readonly restrictPublicBuckets: boolean;
}

const opened = (
  policy: fc.Arbitrary<NaivePolicy | undefined>,
  restricted: number,
): fc.Arbitrary<Opened> => fc.record({ policy, restrictPublicBuckets: chance(restricted) });

const object = (key: string): fc.Arbitrary<NaiveObject> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ key: fc.constant(key), owner: person, acl }) },
    { weight: 1, arbitrary: fc.constant({ key, owner: undefined, acl: [] }) },
  );

export const accessCase: fc.Arbitrary<AccessCase> = fc
  .tuple(action, fc.constantFrom(...KEYS))
  .chain(([asked, key]) => {
    const onBucket = actionRule(asked).on === 'bucket';
    return fc.record({
      request: fc.record({ user: caller, action: fc.constant(asked), values }),
      bucket: fc
        .tuple(
          fc.oneof(
            { weight: 2, arbitrary: opened(fc.constant(undefined), 0) },
            { weight: 4, arbitrary: opened(policyFor(asked, onBucket ? undefined : key), 20) },
            { weight: 4, arbitrary: opened(conditionalPolicy, 10) },
            { weight: 1, arbitrary: opened(narrowedPolicy, 80) },
          ),
          fc.record({ owner: person, acl, ignorePublicAcls: chance(20) }),
        )
        .map(([access, rest]) => Object.assign({ name: BUCKET }, access, rest)),
      object: onBucket ? fc.constant(undefined) : object(key),
    });
  });
