/**
 * Tests that a request runs no SQL statement before its signature is verified, and that each request uses the newest
 * permissions.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openSqliteIdentity, type SqliteIdentity } from '../../src/identity/sqlite-identity.ts';
import type { SigningCredentials } from '../../src/protocol/signing/signing-key.ts';
import { countStatements } from '../helpers/counted-statements.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import type { RawAnswer } from '../helpers/http-socket.ts';
import { newUser } from '../helpers/new-user.ts';
import { sendUnsigned } from '../helpers/strangers.ts';
import { accessKey, WireBench } from '../helpers/wire-bench.ts';
import { type Given, inBothDialects } from '../helpers/wire.ts';

const ORIGIN = 'https://app.test';
const CORS = `<CORSConfiguration><CORSRule><AllowedOrigin>${ORIGIN}</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>`;
const LINK_KEY = 'link:AAAAAAAAAAAAAAAAAAAAAA';
const GRACE = { user: 'grace', project: 'p1', customer: 'c1' };
/** How often a test repeats each change while other requests are in progress. */
const ROUNDS = 5;

const counted = ['store.sqlite', 'identity.sqlite'].map(
  (fileName) => countStatements(fileName, afterAll).counts,
);

let identity: SqliteIdentity | undefined;
const identities = () => {
  if (!identity) throw new Error('the identities are open within tests only');
  return identity;
};
const findKey = (id: string) =>
  id === accessKey.accessKeyId ? accessKey : identities().keys.findKey(id);
const bench = new WireBench({ identity: { findKey } });

beforeAll(() => {
  const path = `${bench.dir}/identity.sqlite`;
  identity = openSqliteIdentity({ path, clock: new FakeClock(), soleWriter: true });
  newUser(identity, { ...GRACE, user: 'owner', fullAccess: true });
  newUser(identity, { ...GRACE, fullAccess: true });
});
afterAll(() => identity?.close());

const statements = () => counted.flatMap((counts) => [...counts.keys()]);
const codeOf = (answer: RawAnswer) =>
  `${answer.status} ${/<Code>(\w+)</.exec(answer.text())?.[1] ?? ''}`.trim();

inBothDialects(bench, (wire) => {
  const preflight = async (path: string) =>
    codeOf(
      await sendUnsigned(wire, `OPTIONS ${path}`, {
        headers: { origin: ORIGIN, 'access-control-request-method': 'GET' },
      }),
    );
  const unsigned = async (line: string, given: Given = {}) =>
    codeOf(await sendUnsigned(wire, line, given));
  const signed = async (line: string, given: Given = {}) => codeOf(await wire.send(line, given));
  const as = (accessKeyId: string): SigningCredentials => ({
    accessKeyId,
    secretAccessKey: 'wrong secret',
  });

  describe('requests without a valid signature', () => {
    const origin = { headers: { origin: ORIGIN } };
    beforeEach(async () => {
      expect(await signed('PUT /{box}?cors', { body: CORS })).toBe('200');
      await wire.put('a', 'content');
    });

    test.for<readonly [string, string, (path: string) => Promise<string>]>([
      [
        'an unsigned listing of keys',
        '403 AccessDenied',
        (path) => unsigned(`GET ${path.slice(0, -2)}`, origin),
      ],
      [
        'an unsigned PUT',
        '403 AccessDenied',
        (path) => unsigned(`PUT ${path}`, { ...origin, body: 'x' }),
      ],
      [
        'a GET with a wrong signature',
        '403 SignatureDoesNotMatch',
        (path) => signed(`GET ${path}`, { ...origin, as: as(accessKey.accessKeyId) }),
      ],
      [
        'a GET with an unknown key',
        '403 InvalidAccessKeyId',
        (path) => signed(`GET ${path}`, { ...origin, as: as('unknown') }),
      ],
      [
        'a GET with an unknown link key',
        '403 InvalidAccessKeyId',
        (path) => signed(`GET ${path}`, { ...origin, as: as(LINK_KEY) }),
      ],
      ['a preflight request', '200', (path) => preflight(path)],
    ])('%s runs no SQL statement, whether or not its bucket exists', async ([, expected, send]) => {
      expect(await send('/{box}/a')).toBe(expected);
      expect(await send('/unknown-1/a')).toMatch(/^40[34] /);
      for (const counts of counted) counts.clear();
      expect(await send('/{box}/a')).toBe(expected);
      for (let n = 2; n < 20; n += 1) expect(await send(`/unknown-${n}/a`)).toMatch(/^40[34] /);
      expect(statements()).toEqual([]);
    });

    test('an unsigned GET of a private object reads only the ACL of the object', async () => {
      expect(await unsigned('GET /{box}/a')).toBe('403 AccessDenied');
      for (const counts of counted) counts.clear();
      expect(await unsigned('GET /{box}/a', origin)).toBe('403 AccessDenied');
      expect(statements()).toEqual([expect.stringContaining('FROM version')]);
    });
  });

  describe('requests after an acknowledged change', () => {
    /** Makes two changes in turn. Other requests run all the time and fill the caches between the changes. */
    const expectEachSeen = async (
      look: () => Promise<string>,
      changes: readonly (readonly [change: () => Promise<string>, seen: string])[],
    ) => {
      const looking = { ended: false };
      const underWay = Promise.all(
        [0, 1, 2].map(async () => {
          while (!looking.ended) await look();
        }),
      );
      const outcomes: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        for (const [change] of changes)
          outcomes.push(await change(), ...(await Promise.all([look(), look()])));
      looking.ended = true;
      await underWay;
      const ofRound = changes.flatMap(([, seen]) => ['done', seen, seen]);
      expect(outcomes).toEqual(Array.from({ length: ROUNDS }, () => ofRound).flat());
    };
    const change = async (line: string, given: Given = {}) =>
      (await signed(line, given)).replace(/^20\d$/, 'done');
    const policy = () =>
      JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: '*',
            Action: 's3:GetObject',
            Resource: `arn:aws:s3:::${wire.get('box')}/*`,
          },
        ],
      });
    beforeEach(() => wire.put('a', 'content'));

    test('a GET after an acknowledged policy change uses the new policy', () =>
      expectEachSeen(
        () => unsigned('GET /{box}/a'),
        [
          [() => change('PUT /{box}?policy', { body: policy() }), '200'],
          [() => change('DELETE /{box}?policy'), '403 AccessDenied'],
        ],
      ));

    test('a request after an acknowledged change of a bucket ACL uses the new ACL', () =>
      expectEachSeen(
        () => unsigned('GET /{box}'),
        [
          [() => change('PUT /{box}?acl', { headers: { 'x-*-acl': 'public-read' } }), '200'],
          [
            () => change('PUT /{box}?acl', { headers: { 'x-*-acl': 'private' } }),
            '403 AccessDenied',
          ],
        ],
      ));

    test('a GET after an acknowledged change of an object ACL uses the new ACL', () =>
      expectEachSeen(
        () => unsigned('GET /{box}/a'),
        [
          [() => change('PUT /{box}/a?acl', { headers: { 'x-*-acl': 'public-read' } }), '200'],
          [
            () => change('PUT /{box}/a?acl', { headers: { 'x-*-acl': 'private' } }),
            '403 AccessDenied',
          ],
        ],
      ));

    test('a preflight request after an acknowledged change of the CORS rules uses the new rules', () =>
      expectEachSeen(
        () => preflight('/{box}/a'),
        [
          [() => change('PUT /{box}?cors', { body: CORS }), '200'],
          [() => change('DELETE /{box}?cors'), '403 AccessForbidden'],
        ],
      ));

    test('a request after an acknowledged creation or deletion of a bucket finds the new state', () => {
      wire.name('new', `${wire.get('box')}-new`);
      return expectEachSeen(
        () => signed('GET /{new}'),
        [
          [() => change('PUT /{new}'), '200'],
          [() => change('DELETE /{new}'), '404 NoSuchBucket'],
        ],
      );
    });

    test('a request after a user was disabled or enabled finds the new state of the user', () => {
      const { keys, users } = identities();
      const grace = keys.findKey('p1:grace@c1');
      if (!grace) throw new Error('grace has no key');
      const disable = async (is: boolean) => {
        users.disableUser(GRACE, is);
        return 'done';
      };
      return expectEachSeen(
        () => signed('GET /{box}/a', { as: grace }),
        [
          [() => disable(true), '403 InvalidAccessKeyId'],
          [() => disable(false), '200'],
        ],
      );
    });
  });
});
