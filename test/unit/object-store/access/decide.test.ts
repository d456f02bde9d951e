/** Tests of the access decision for each kind of principal, action and permission. */

import { describe, expect, test } from 'vitest';

import type { Principal, UserPrincipal } from '../../../../src/base/principal.ts';
import { type Action, ACTIONS } from '../../../../src/object-store/action.ts';
import type { Grant } from '../../../../src/object-store/rules/access/acl.ts';
import {
  type AccessRequest,
  type BucketAccess,
  decideAccess,
  decideMissing,
} from '../../../../src/object-store/rules/access/decide.ts';
import { parsePolicy } from '../../../../src/object-store/rules/access/parse-policy.ts';

const user = (project: string, name: string, customer = 'c1'): UserPrincipal => ({
  kind: 'user',
  project,
  user: name,
  customer,
  fullAccess: false,
});

/** The owner of the bucket. */
const ada = user('p1', 'ada');
const bob = user('p1', 'bob');
const eve = user('p2', 'eve');
const eves = user('p2', 'mallory');
const mia = user('p3', 'mia');
const PEOPLE: Readonly<Record<string, Principal>> = {
  owner: ada,
  colleague: bob,
  stranger: eve,
  "stranger's colleague": eves,
  'third party': mia,
  'namesake of another customer': { ...ada, customer: 'c2' },
  'powerful stranger': { ...user('p4', 'boss'), fullAccess: true },
  anonymous: { kind: 'anonymous' },
  link: { kind: 'link', does: 'get', bucket: 'box', key: 'k' },
};

/**
 * Names of all principals outside the project of the bucket. The presigned URL is not included,
 * because it allows only its own request.
 */
const EVERYONE = Object.keys(PEOPLE).slice(2, -1);

const id = ({ project, user: name, customer }: UserPrincipal) => `${project}:${name}@${customer}`;
const box: BucketAccess = { name: 'box', owner: ada };
const ours = { key: 'k', owner: id(bob) };
const theirs = { key: 'k', owner: id(eve) };
const nothing = { key: 'k' };

const allowed = (question: AccessRequest) => decideAccess(question).allowed;
/** Returns the names of all principals that may perform the action. */
const who = (question: Omit<AccessRequest, 'principal'>) =>
  Object.keys(PEOPLE).filter((name) => allowed({ ...question, principal: PEOPLE[name] ?? ada }));
const grant = (grantee: string, permission: Grant['permission']): Grant => ({
  grantee,
  permission,
});
const ALLOW_ALL = {
  Effect: 'Allow',
  Principal: '*',
  Action: 's3:*',
  Resource: ['arn:aws:s3:::box', 'arn:aws:s3:::box/*'],
};
const policy = (...statements: object[]) =>
  parsePolicy(
    JSON.stringify({
      Statement: statements.map((each) => Object.assign({}, ALLOW_ALL, each)),
    }),
    'box',
  );

const ON_BUCKETS = (Object.keys(ACTIONS) as Action[]).filter(
  (each) => ACTIONS[each].on === 'bucket',
);
const ON_OBJECTS = (Object.keys(ACTIONS) as Action[]).filter(
  (each) => ACTIONS[each].on === 'object',
);

describe("access of the owner's project", () => {
  test.each(ON_BUCKETS)(
    "[auth-1] the store allows %s without ACL or policy only for the bucket's project",
    (action) => {
      const expected = action === 'DeleteBucket' ? ['owner'] : ['owner', 'colleague'];
      expect(who({ action, bucket: box })).toEqual(expected);
    },
  );

  test.each(ON_OBJECTS)(
    "[auth-2] the store allows %s on an object without ACL or policy only for the object's project",
    (action) => {
      const byLink = action === 'GetObject' ? ['link'] : [];
      const [mine, his] =
        action === 'DeleteObjectVersion'
          ? [['owner', 'colleague'], ['stranger']]
          : [
              ['owner', 'colleague'],
              ['stranger', "stranger's colleague"],
            ];
      expect(who({ action, bucket: box, object: ours })).toEqual([...mine, ...byLink]);
      const over = action === 'PutObject' ? ['owner', 'colleague'] : [];
      expect(who({ action, bucket: box, object: theirs })).toEqual([...over, ...his, ...byLink]);
    },
  );

  test.each(ON_OBJECTS)(
    "[auth-1] the store allows %s on a missing object without ACL or policy only for the bucket's project",
    (action) => {
      const byLink = action === 'GetObject' ? ['link'] : [];
      expect(who({ action, bucket: box, object: nothing })).toEqual([
        'owner',
        'colleague',
        ...byLink,
      ]);
    },
  );

  test('[auth-3] the store lets only the owner delete a bucket, even if an ACL and a policy allow others to delete it', () => {
    const acl = [grant('AllUsers', 'FULL_CONTROL')];
    expect(who({ action: 'DeleteBucket', bucket: { ...box, acl, policy: policy({}) } })).toEqual([
      'owner',
    ]);
  });

  test('[auth-4] the store lets a bucket owner neither read nor delete an object that another project owns', () => {
    for (const action of [
      'GetObject',
      'GetObjectVersion',
      'DeleteObject',
      'DeleteObjectVersion',
      'GetObjectAcl',
    ] as const) {
      expect(allowed({ principal: ada, action, bucket: box, object: theirs })).toBe(false);
      // A policy cannot allow these actions either, because the bucket owner writes the policy.
      const bucket = { ...box, policy: policy({}) };
      expect(allowed({ principal: ada, action, bucket, object: theirs })).toBe(false);
    }
    expect(allowed({ principal: ada, action: 'PutObject', bucket: box, object: theirs })).toBe(
      true,
    );
  });

  test('[auth-5] the store lets only the owners of the bucket and of the version delete a version permanently', () => {
    const acl = [grant('AllUsers', 'FULL_CONTROL')];
    const bucket = { ...box, acl, policy: policy({}) };
    const question = { action: 'DeleteObjectVersion', bucket } as const;
    expect(who({ ...question, object: { ...ours, acl } })).toEqual(['owner', 'colleague']);
    expect(who({ ...question, object: { ...ours, owner: id(ada), acl } })).toEqual(['owner']);
    expect(who({ ...question, object: { ...theirs, acl } })).toEqual(['owner', 'stranger']);
  });

  test("[auth-6] the store lets only the initiator's and the bucket's projects abort a multipart upload and list its parts", () => {
    for (const action of ['AbortMultipartUpload', 'ListMultipartUploadParts'] as const) {
      expect(who({ action, bucket: box, object: theirs })).toEqual([
        'owner',
        'colleague',
        'stranger',
        "stranger's colleague",
      ]);
      const bucket = { ...box, acl: [grant('AllUsers', 'FULL_CONTROL')] };
      expect(who({ action, bucket, object: ours })).toEqual(['owner', 'colleague']);
    }
  });
});

describe('access through an ACL', () => {
  const TABLE: readonly (readonly [Grant['permission'], readonly Action[], readonly Action[]])[] = [
    [
      'READ',
      ['GetBucketLocation', 'ListBucket', 'ListBucketMultipartUploads', 'ListBucketVersions'],
      ['GetObject', 'GetObjectAttributes', 'GetObjectVersion', 'GetObjectVersionAttributes'],
    ],
    ['WRITE', [], ['PutObject']],
    ['READ_ACP', ['GetBucketAcl'], ['GetObjectAcl', 'GetObjectVersionAcl']],
    ['WRITE_ACP', ['PutBucketAcl'], ['PutObjectAcl', 'PutObjectVersionAcl']],
  ];

  test.each(TABLE)(
    '[acl-16] the ACL permission %s allows the bucket actions %j and the object actions %j',
    (permission, buckets, objects) => {
      const acl = [grant(id(eve), permission)];
      const bucketActions = ON_BUCKETS.filter((action) =>
        allowed({ principal: eve, action, bucket: { ...box, acl } }),
      );
      expect(bucketActions).toEqual(buckets);
      const objectActions = ON_OBJECTS.filter((action) =>
        allowed({ principal: eve, action, bucket: box, object: { ...ours, acl } }),
      );
      expect(objectActions).toEqual(objects);
    },
  );

  test('[acl-16] the ACL permission FULL_CONTROL allows the actions of the other four ACL permissions', () => {
    const acl = [grant('p2@c1', 'FULL_CONTROL')];
    const all = (column: 1 | 2) => TABLE.flatMap((row) => row[column]).sort();
    expect(
      ON_BUCKETS.filter((action) =>
        allowed({ principal: eve, action, bucket: { ...box, acl } }),
      ).sort(),
    ).toEqual(all(1));
    expect(
      ON_OBJECTS.filter((action) =>
        allowed({ principal: eve, action, bucket: box, object: { ...ours, acl } }),
      ).sort(),
    ).toEqual(all(2));
  });

  test("[acl-17] WRITE on a bucket allows adding objects, and overwriting and deleting objects of the bucket owner's project", () => {
    const bucket = { ...box, acl: [grant(id(eve), 'WRITE')] };
    const may = (object: AccessRequest['object']) =>
      ON_OBJECTS.filter((action) => allowed({ principal: eve, action, bucket, object }));
    expect(may(nothing)).toEqual([
      'DeleteObject',
      'DeleteObjectVersion',
      'PutObject',
      'PutObjectAcl',
      'PutObjectTagging',
    ]);
    expect(may(ours)).toEqual(['DeleteObject', 'PutObject']);
    // An object of another project can be overwritten but not deleted.
    expect(may({ key: 'k', owner: id(mia) })).toEqual(['PutObject']);
  });

  test("[acl-18] the store requires access to the bucket and WRITE in the object's ACL to delete an object of another project", () => {
    const question = { action: 'DeleteObject', bucket: box } as const;
    const object = { ...theirs, acl: [grant(id(ada), 'FULL_CONTROL'), grant(id(mia), 'WRITE')] };
    expect(who({ ...question, object })).toEqual(['owner', 'stranger', "stranger's colleague"]);
    const bucket = { ...box, acl: [grant(id(mia), 'WRITE')] };
    expect(who({ ...question, bucket, object })).toContain('third party');
    const allowedByPolicy = { ...box, policy: policy({}) };
    expect(who({ ...question, bucket: allowedByPolicy, object })).toContain('third party');
    expect(who({ ...question, bucket: allowedByPolicy, object: theirs })).not.toContain('owner');
  });

  test.each([
    [
      'AllUsers',
      [
        'stranger',
        "stranger's colleague",
        'third party',
        'namesake of another customer',
        'powerful stranger',
        'anonymous',
      ],
    ],
    [
      'AuthenticatedUsers',
      [
        'stranger',
        "stranger's colleague",
        'third party',
        'namesake of another customer',
        'powerful stranger',
      ],
    ],
    ['p2@c1', ['stranger', "stranger's colleague"]],
    ['p2:eve@c1', ['stranger']],
    ['p1@c2', ['namesake of another customer']],
    ['p2@c2', []],
    ['p2:eve@c2', []],
  ])('[acl-19] the store matches the ACL grantee %s with the principals %j', (grantee, people) => {
    const bucket = { ...box, acl: [grant(grantee, 'READ')] };
    expect(who({ action: 'ListBucket', bucket })).toEqual(['owner', 'colleague', ...people]);
  });

  test('[acl-16] a bucket ACL grants nothing on the objects, and an object ACL grants nothing on the bucket', () => {
    const acl = [grant('AllUsers', 'READ')];
    const anonymous = PEOPLE['anonymous'] ?? ada;
    expect(
      allowed({ principal: anonymous, action: 'GetObject', bucket: { ...box, acl }, object: ours }),
    ).toBe(false);
    const object = { ...ours, acl };
    expect(allowed({ principal: anonymous, action: 'ListBucket', bucket: box, object })).toBe(
      false,
    );
  });

  test('[acl-12] the store ignores ACL grants to groups with IgnorePublicAcls but applies other grants', () => {
    const publicAccessBlock = {
      blockPublicAcls: false,
      ignorePublicAcls: true,
      blockPublicPolicy: false,
      restrictPublicBuckets: false,
    };
    const acl = [
      grant('AllUsers', 'READ'),
      grant('AuthenticatedUsers', 'READ'),
      grant('p3@c1', 'READ'),
    ];
    expect(who({ action: 'ListBucket', bucket: { ...box, acl, publicAccessBlock } })).toEqual([
      'owner',
      'colleague',
      'third party',
    ]);
  });
});

describe('access through a bucket policy', () => {
  test('[policy-9] the store refuses an action that a policy denies despite ownership, an Allow and every ACL', () => {
    const acl = [grant('AllUsers', 'FULL_CONTROL')];
    const bucket = { ...box, acl, policy: policy({}, { Effect: 'Deny' }) };
    for (const action of ON_BUCKETS) {
      const kept = ['DeleteBucketPolicy', 'GetBucketPolicy', 'PutBucketPolicy'].includes(action);
      expect(who({ action, bucket })).toEqual(kept ? ['owner'] : []);
    }
    for (const action of ON_OBJECTS)
      expect(who({ action, bucket, object: { ...ours, acl } })).toEqual([]);
  });

  test('[policy-9] the store applies a Deny even to the owner of an object in a bucket of another project', () => {
    const bucket = { ...box, policy: policy({ Effect: 'Deny' }) };
    expect(who({ action: 'GetObject', bucket, object: theirs })).toEqual([]);
  });

  test.each([
    [{ AWS: 'arn:aws:iam:::user/p2:eve@c1' }, ['stranger']],
    [{ AWS: 'p2@c1' }, ['stranger', "stranger's colleague"]],
    ['*', EVERYONE],
    [{ AWS: ['p3@c1', '*'] }, EVERYONE],
  ])(
    '[policy-10] the store matches the policy principal %j with exactly the expected callers',
    (Principal, people) => {
      const bucket = { ...box, policy: policy({ Principal }) };
      expect(who({ action: 'ListBucket', bucket })).toEqual(['owner', 'colleague', ...people]);
    },
  );

  test('[policy-10] the store matches NotPrincipal with all other principals', () => {
    const bucket = {
      ...box,
      policy: policy({ Effect: 'Deny', Principal: undefined, NotPrincipal: { AWS: 'p1@c1' } }, {}),
    };
    expect(who({ action: 'ListBucket', bucket })).toEqual(['owner', 'colleague']);
  });

  test('[policy-11] the store matches Action with the listed actions and NotAction with all others', () => {
    const may = (statement: object) => {
      const bucket = { ...box, policy: policy(statement) };
      return [...ON_BUCKETS, ...ON_OBJECTS].filter((action) =>
        allowed({
          principal: eve,
          action,
          bucket,
          object: ON_OBJECTS.includes(action) ? ours : undefined,
        }),
      );
    };
    expect(may({ Action: 's3:get*acl' })).toEqual([
      'GetBucketAcl',
      'GetObjectAcl',
      'GetObjectVersionAcl',
    ]);
    expect(may({ Action: 's3:GetObject?cl' })).toEqual(['GetObjectAcl']);
    expect(may({ Action: undefined, NotAction: ['s3:*Bucket*', 's3:*Object*'] })).toEqual([
      'GetLifecycleConfiguration',
      'PutLifecycleConfiguration',
      'BypassGovernanceRetention',
    ]);
  });

  test.each([
    ['arn:aws:s3:::box/*', ['a', 'a/b', 'ä/😀']],
    ['arn:aws:s3:::box/a/*', ['a/b']],
    ['arn:aws:s3:::box/?', ['a']],
    ['arn:aws:s3:::box/?/😀', ['ä/😀']],
    ['arn:aws:s3:::box/A', []],
    ['arn:aws:s3:::box*', ['a', 'a/b', 'ä/😀']],
    ['arn:aws:s3:::box', []],
  ])('[policy-12] the store matches the policy resource %s with the keys %j', (Resource, keys) => {
    const bucket = { ...box, policy: policy({ Resource, Action: 's3:GetObject' }) };
    const found = ['a', 'a/b', 'ä/😀'].filter((key) =>
      allowed({ principal: eve, action: 'GetObject', bucket, object: { ...ours, key } }),
    );
    expect(found).toEqual(keys);
  });

  test('[policy-12] the store matches a policy resource ending in /* only with objects, and one ending in * also with the bucket', () => {
    const may = (Resource: string) =>
      allowed({
        principal: eve,
        action: 'ListBucket',
        bucket: { ...box, policy: policy({ Resource }) },
      });
    expect(['arn:aws:s3:::box', 'arn:aws:s3:::box/*', 'arn:aws:s3:::box*'].map(may)).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('[policy-13] the store replaces policy variables by properties of the caller without interpreting wildcards in them', () => {
    const document = {
      Version: '2012-10-17',
      Statement: {
        Effect: 'Allow',
        Principal: '*',
        Action: 's3:GetObject',
        Resource: 'arn:aws:s3:::box/${aws:username}/${*}*',
      },
    };
    const bucket = { ...box, policy: parsePolicy(JSON.stringify(document), 'box') };
    const may = (key: string, name?: string) => {
      const conditions = new Map(name === undefined ? [] : [['aws:username', [name]]]);
      return allowed({
        principal: eve,
        action: 'GetObject',
        bucket,
        object: { key, owner: id(ada) },
        conditions,
      });
    };
    expect([
      may('eve/*x', 'eve'),
      may('eve/x', 'eve'),
      may('eve/*x', '*'),
      may('*/*', '*'),
      may('/*'),
    ]).toEqual([true, false, false, true, false]);
    const old = parsePolicy(JSON.stringify({ ...document, Version: '2008-10-17' }), 'box');
    const question = {
      principal: eve,
      action: 'GetObject',
      bucket: { ...box, policy: old },
    } as const;
    expect(allowed({ ...question, object: { ...ours, key: '${aws:username}/${x}' } })).toBe(true);
  });

  test('[policy-6] a public policy allows nothing to other projects if RestrictPublicBuckets is on', () => {
    const publicAccessBlock = {
      blockPublicAcls: false,
      ignorePublicAcls: false,
      blockPublicPolicy: false,
      restrictPublicBuckets: true,
    };
    const bucket = { ...box, publicAccessBlock };
    const to = (Principal: unknown) =>
      who({ action: 'ListBucket', bucket: { ...bucket, policy: policy({ Principal }) } });
    expect(to('*')).toEqual(['owner', 'colleague']);
    expect(to({ AWS: 'p3@c1' })).toEqual(['owner', 'colleague', 'third party']);
  });
});

describe('requests for missing objects', () => {
  test('[auth-7] the store reveals that an object is missing only to a caller who may list the bucket', () => {
    const missing = (bucket: BucketAccess) =>
      Object.keys(PEOPLE).filter(
        (name) =>
          decideMissing({
            principal: PEOPLE[name] ?? ada,
            action: 'GetObject',
            bucket,
            object: nothing,
          }).allowed,
      );
    expect(missing(box)).toEqual(['owner', 'colleague', 'link']);
    expect(missing({ ...box, acl: [grant('AllUsers', 'READ')] })).toEqual(Object.keys(PEOPLE));
    const reads = policy({ Action: 's3:GetObject' });
    expect(missing({ ...box, policy: reads })).toEqual(['owner', 'colleague', 'link']);
    const denied = policy({ Effect: 'Deny', Action: 's3:GetObject' });
    expect(missing({ ...box, acl: [grant('AllUsers', 'READ')], policy: denied })).toEqual([]);
  });
});

test('[policy-14] the store names the responsible policy statement, grant or ownership as the reason of an access decision', () => {
  const bucket = {
    ...box,
    acl: [grant('p2@c1', 'READ')],
    policy: policy({ Sid: 'no', Effect: 'Deny', Principal: { AWS: 'p3@c1' } }),
  };
  const by = (principal: Principal, action: Action = 'ListBucket') =>
    decideAccess({ principal, action, bucket }).by;
  expect(by(mia)).toMatchObject({ kind: 'policy', statement: { sid: 'no' } });
  expect(by(eve)).toEqual({ kind: 'grant', on: 'bucket', grant: grant('p2@c1', 'READ') });
  expect([by(ada), by(bob), by(eve, 'GetBucketAcl'), by(bob, 'DeleteBucket')]).toEqual([
    { kind: 'owner' },
    { kind: 'project' },
    { kind: 'nothing' },
    { kind: 'owner-only' },
  ]);
});
