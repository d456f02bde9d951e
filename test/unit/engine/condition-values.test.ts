/** What policies are told of a request. */

import { expect, test } from 'vitest';

import { askedOfList, RequestValues } from '../../../src/engine/condition-values.ts';
import { internalCaller } from '../../../src/object-store/caller.ts';
import { parsePolicy } from '../../../src/object-store/rules/access/parse-policy.ts';
import { statementOf } from '../../../src/object-store/rules/access/policy.ts';

const LONG = 'a'.repeat(15_000);

test('[policy-34] texts of any length that a sender claims cost no seconds, even against a thousand patterns', () => {
  const anonymous = internalCaller({ kind: 'anonymous' }, 0);
  const caller = { ...anonymous, userAgent: LONG, wire: { referer: LONG } };
  const asked = askedOfList({ prefix: LONG, delimiter: LONG });
  const conditions = new RequestValues({ caller, asked });
  for (const key of ['aws:UserAgent', 'aws:Referer', 's3:prefix', 's3:delimiter']) {
    const patterns = Array.from({ length: 2000 }, () => '*a*b*');
    const statement = {
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:ListBucket',
      Resource: 'arn:aws:s3:::box',
      Condition: { StringLike: { [key]: patterns } },
    };
    const policy = parsePolicy(JSON.stringify({ Statement: statement }), 'box');
    const question = { principal: caller.principal, action: 'ListBucket', conditions } as const;
    expect(statementOf(policy, 'Deny', question)).toBeUndefined();
    expect(conditions.get(key.toLowerCase())).toEqual(['a'.repeat(1024)]);
  }
});
