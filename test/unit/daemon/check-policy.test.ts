import { describe, expect, it } from 'vitest';

import { checkPolicy } from '../../../daemon/handlers/buckets/check-policy.ts';
import type { Grantees } from '../../../src/base/grantees.ts';

const grantees: Grantees = {
  exists: (id) => id === 'films:eve@umbrella',
  findByEmail: () => undefined,
};

const ALLOW = {
  Sid: 'eve',
  Effect: 'Allow',
  Principal: { AWS: 'arn:aws:iam:::user/films:eve@umbrella' },
  Action: 's3:GetObject',
  Resource: 'arn:aws:s3:::photos/*',
};

const check = (document: unknown) =>
  checkPolicy(
    typeof document === 'string' ? document : JSON.stringify(document),
    'photos',
    grantees,
  );

describe('checking a bucket policy before it is stored', () => {
  it('the policy check reports whether a valid policy makes the bucket public', () => {
    expect(check({ Statement: [ALLOW] })).toEqual({ statements: 1, isPublic: false, problems: [] });
    expect(check({ Statement: { ...ALLOW, Principal: '*' } })).toMatchObject({ isPublic: true });
  });

  it('the policy check reports that a policy has more patterns than a stored policy may have', () => {
    const Resource = Array.from({ length: 201 }, (_, index) => `arn:aws:s3:::photos/${index}*`);
    const { problems } = check({ Statement: [{ ...ALLOW, Resource }] });
    expect(problems).toEqual([{ message: expect.stringContaining('201 patterns') as string }]);
  });

  it('the policy check reports all problems of a policy at once, each with its statement', () => {
    const { Principal: _, ...withoutPrincipal } = ALLOW;
    const { problems } = check({
      Statement: [
        withoutPrincipal,
        ALLOW,
        { ...ALLOW, Sid: 'other', Resource: 'arn:aws:s3:::films/*' },
        7,
      ],
    });
    expect(problems).toEqual([
      { statement: 1, sid: 'eve', message: expect.stringContaining('Principal') as string },
      { statement: 3, sid: 'other', message: expect.stringContaining('films') as string },
      { statement: 4, message: expect.stringContaining('object') as string },
    ]);
  });

  it.each([
    ['{"Statement": [}', "Unexpected token '}'"],
    ['', 'JSON'],
    ['[]', 'object'],
    [{ Version: '2020-01-01', Statement: [ALLOW] }, 'Version'],
    [{ Version: '2012-10-17' }, 'Statement'],
    [{ Statement: [ALLOW, ALLOW] }, 'Sid'],
    [{ Statement: [] }, 'Statement'],
    [' '.repeat(20_481), '20480 bytes'],
  ])('the policy check reports one problem of the whole policy %j: %s', (document, words) => {
    const { problems } = check(document);
    expect(problems).toEqual([{ message: expect.stringContaining(words) as string }]);
  });

  it('the policy check names the unknown users and projects in a policy', () => {
    const gone = { ...ALLOW, Principal: { AWS: ['films@umbrella', 'arn:aws:iam:::user/a:b@c'] } };
    expect(check({ Statement: [ALLOW, { ...gone, Sid: '2' }] }).problems).toEqual([
      { statement: 2, sid: '2', message: 'user or project films@umbrella does not exist' },
      { statement: 2, sid: '2', message: 'user or project a:b@c does not exist' },
    ]);
  });
});
