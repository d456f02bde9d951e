/**
 * Generators for the property test in engine-access-law.ts. They create random buckets with objects
 * of several owners, ACLs and a policy, and calls on these buckets.
 */

import * as fc from 'fast-check';

import { CANNED_ACLS, type CannedAcl } from '../../src/object-store/rules/access/canned-acl.ts';
import {
  acl,
  actionNames,
  caller,
  chance,
  orNot,
  person,
  principals,
  resources,
} from './access-cases.ts';
import { CALLS } from './engine-calls.ts';
import type { NaiveGrant, NaiveStatement } from './naive-access.ts';
import type { NaiveBlock } from './naive-conditions.ts';

export interface EngineCase {
  readonly owner: string;
  readonly versioning: 'Enabled' | 'Suspended' | undefined;
  readonly locked: boolean;
  readonly bucketAcl: CaseAcl;
  readonly block: Readonly<Record<keyof typeof BLOCK, boolean>>;
  /**
   * Statements of the bucket policy. `:::box` stands for the bucket's ARN, and `@id` for the id of
   * the first version.
   */
  readonly statements: readonly NaiveStatement[];
  /** True if the bucket first had a policy that allowed everything, and this policy replaced it. */
  readonly isSecondPolicy: boolean;
  /** Objects that the test puts into the bucket, oldest first. */
  readonly objects: readonly PutCase[];
  readonly marked: boolean;
  readonly uploader: string;
  readonly calls: readonly EngineCall[];
}

/** ACL in a test case: a list of grants, or the name of a canned ACL. */
export type CaseAcl = CannedAcl | readonly NaiveGrant[];

interface PutCase {
  readonly key: 'a' | 'b';
  readonly by: string;
  readonly acl: CaseAcl;
  readonly team: 'red' | 'blue' | undefined;
  readonly retained: boolean;
}

/**
 * Version that a call refers to: the first or second version of its key, or a version of another
 * key (`other`).
 */
type VersionPlace = 0 | 1 | 'other' | undefined;

export interface EngineCall {
  readonly kind: string;
  readonly user: string | undefined;
  readonly fullAccess: boolean;
  readonly sourceIp: string;
  readonly secure: boolean;
  readonly key: 'a' | 'b' | 'c';
  readonly version: VersionPlace;
  readonly source: { readonly key: 'a' | 'b' | 'c'; readonly version: VersionPlace };
  readonly acl:
    | 'authenticated-read'
    | 'everyone'
    | 'private'
    | 'project'
    | 'public-read'
    | undefined;
  readonly team: 'red' | 'blue' | undefined;
  readonly retention: boolean;
  readonly legalHold: boolean | undefined;
  readonly bypass: boolean;
  readonly replaces: boolean;
  readonly prefix: 'a' | 'b' | undefined;
  readonly max: 1 | 10 | undefined;
}

const BLOCK = {
  blockPublicAcls: chance(15),
  ignorePublicAcls: chance(15),
  blockPublicPolicy: chance(15),
  restrictPublicBuckets: chance(15),
};

const CONDITIONS: readonly NaiveBlock[] = [
  { StringEquals: { 'aws:username': 'ada' } },
  { StringNotEquals: { 'aws:userid': 'p2:eve@c1' } },
  { ArnLike: { 'aws:PrincipalArn': 'arn:aws:iam::*:user/p1:*' } },
  { StringEquals: { 'aws:PrincipalType': 'User' } },
  { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } },
  { NotIpAddress: { 'aws:SourceIp': '10.0.0.0/8' } },
  { Bool: { 'aws:SecureTransport': 'false' } },
  { DateLessThan: { 'aws:CurrentTime': '2030-01-01T00:00:00Z' } },
  { NumericLessThan: { 'aws:EpochTime': 0 } },
  { StringEquals: { 's3:prefix': 'a' } },
  { StringNotLike: { 's3:prefix': 'a*' } },
  { NumericLessThan: { 's3:max-keys': 5 } },
  { StringEquals: { 's3:VersionId': '@id' } },
  { StringNotEquals: { 's3:VersionId': '@id' } },
  { Null: { 's3:VersionId': 'true' } },
  { StringEquals: { 's3:ExistingObjectTag/team': 'red' } },
  { StringNotEquals: { 's3:ExistingObjectTag/team': 'red' } },
  { StringEquals: { 's3:RequestObjectTag/team': 'red' } },
  { 'ForAnyValue:StringEquals': { 's3:RequestObjectTagKeys': ['team'] } },
  { StringEquals: { 's3:x-amz-acl': 'public-read' } },
  { Null: { 's3:x-amz-acl': 'false' } },
  { StringLike: { 's3:x-amz-grant-read': '*AllUsers*' } },
  { StringLike: { 's3:x-amz-copy-source': '*/a' } },
  { StringEquals: { 's3:x-amz-metadata-directive': 'REPLACE' } },
  { StringEquals: { 's3:object-lock-mode': 'GOVERNANCE' } },
  { NumericGreaterThan: { 's3:object-lock-remaining-retention-days': 10 } },
  { StringEquals: { 's3:object-lock-legal-hold': 'ON' } },
];

/**
 * Restricts the generated cases to calls of these kinds, and to policy statements with this
 * condition key.
 */
export interface Focus {
  readonly calls?: readonly string[];
  readonly condition?: string;
}

const ANYTHING = ['arn:aws:s3:::box', 'arn:aws:s3:::box/*'];

function statementAbout(
  action: string,
  key: string | undefined,
  { condition }: Focus,
): fc.Arbitrary<NaiveStatement> {
  const asked = CONDITIONS.filter((each) => JSON.stringify(each).includes(condition ?? ''));
  const conditional = fc.record({ Condition: fc.constantFrom(...asked) });
  const effect = fc.record({ Effect: fc.constantFrom('Allow', 'Allow', 'Deny') });
  // In half of the statements, the principal and the resource match everything. Only the action and
  // the condition decide.
  const about = fc.oneof(
    fc
      .tuple(
        effect,
        orNot('Principal', principals),
        orNot('Action', actionNames(action)),
        orNot('Resource', resources(key)),
      )
      .map((parts) => Object.assign({}, ...parts) as NaiveStatement),
    effect.map((each) =>
      Object.assign({ Principal: '*', Action: `s3:${action}`, Resource: ANYTHING }, each),
    ),
  );
  return fc
    .tuple(
      about,
      condition === undefined ? fc.option(conditional, { nil: {}, freq: 1 }) : conditional,
    )
    .map(([parts, narrowed]): NaiveStatement => Object.assign({}, parts, narrowed));
}

const versionPlace = fc.constantFrom<VersionPlace>(undefined, undefined, 0, 0, 1, 'other');
const anyKey = fc.constantFrom('a', 'a', 'a', 'b', 'b', 'c');
const team = fc.constantFrom('red', 'blue', undefined, undefined);

const callOf = (kinds: readonly string[]): fc.Arbitrary<EngineCall> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    user: caller,
    fullAccess: chance(70),
    sourceIp: fc.constantFrom('10.0.0.1', '192.0.2.1', '::1'),
    secure: chance(70),
    key: anyKey,
    version: versionPlace,
    source: fc.record({ key: anyKey, version: versionPlace }),
    acl: fc.constantFrom(
      undefined,
      undefined,
      'everyone',
      'project',
      'private',
      'public-read',
      'authenticated-read',
    ),
    team,
    retention: chance(25),
    legalHold: fc.constantFrom(undefined, undefined, undefined, true, false),
    bypass: chance(50),
    replaces: chance(50),
    prefix: fc.constantFrom('a', 'b', undefined),
    max: fc.constantFrom(1, 10, undefined),
  });

const list: fc.Arbitrary<CaseAcl> = fc.oneof(
  { weight: 3, arbitrary: acl },
  { weight: 2, arbitrary: fc.constantFrom(...CANNED_ACLS) },
);

const put: fc.Arbitrary<PutCase> = fc.record({
  key: fc.constantFrom('a', 'a', 'b'),
  by: person,
  acl: list,
  team,
  retained: chance(50),
});

/** Generates policy statements that contain the actions of the calls. */
function statementsFor(calls: readonly EngineCall[], focus: Focus): fc.Arbitrary<NaiveStatement> {
  return fc.constantFrom(...calls).chain(({ kind, key }) => {
    const { actions, onBucket } = CALLS[kind]!;
    return fc
      .constantFrom(...actions)
      .chain((action) => statementAbout(action, onBucket ? undefined : key, focus));
  });
}

export function engineCases(focus: Focus = {}): fc.Arbitrary<EngineCase> {
  const { calls: kinds = Object.keys(CALLS) } = focus;
  return fc.array(callOf(kinds), { minLength: 8, maxLength: 8 }).chain((calls) =>
    fc.record({
      owner: person,
      versioning: fc.constantFrom('Enabled', 'Enabled', 'Suspended', undefined),
      locked: chance(25),
      bucketAcl: list,
      block: fc.record(BLOCK),
      statements: fc.array(statementsFor(calls, focus), { maxLength: 3 }),
      isSecondPolicy: chance(15),
      objects: fc.array(put, { minLength: 2, maxLength: 4 }),
      marked: chance(25),
      uploader: person,
      calls: fc.constant(calls),
    }),
  );
}
