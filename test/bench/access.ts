/**
 * Measures the cost of ACLs and bucket policies. Compares the owner's requests with requests from a user in another
 * project, which the ACL and the policy must allow.
 */

import { principalId, projectId } from '../../src/base/principal.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { AclRequest } from '../../src/object-store/access.ts';
import { BENCH_KEY, STRANGER_KEY } from './credentials.ts';
import { drain, load } from './load.ts';
import { BUCKET } from './names.ts';
import { openClient, type Peer, withPeer } from './peer.ts';
import { median, row } from './row.ts';
import type { Row } from './row.ts';
import { IN_FLIGHT } from './small.ts';

const SHARED = 'bench-shared';
const SMALL = new Uint8Array(1024).fill(120);
const ROUNDS = 7;
const WARM_UP_CALLS = 3_000;
/**
 * The number of other users in the bucket's ACL and policy. The service checks all of them before it reaches the user
 * who sends the request.
 */
const OTHERS = 10;
/**
 * The maximum ratio of the cost of a guest's request to that of an owner's request. The guest is a user of another
 * project, so only the guest's requests need the ACL and the policy.
 */
const AT_MOST = 1.15;

const GUEST = projectId(STRANGER_KEY.principal);

type Way = 'shared' | 'own';
type Client = Peer['client'];

/**
 * Measures the server's CPU time for PUT and GET of `count` small objects per round, alternating between the owner and
 * the guest.
 */
export function benchAccess(folder: string, count: number): Promise<Row[]> {
  return withPeer('holdfast', folder, async (peer) => {
    const guest = openClient(peer.endpoint, STRANGER_KEY);
    try {
      await share(peer.client);
      const clients: Readonly<Record<Way, Client>> = { own: peer.client, shared: guest };
      const found = new Map<string, number[]>();
      for (const way of ['own', 'shared'] as const)
        await round(peer, clients, { way, count: WARM_UP_CALLS });
      for (let index = 0; index < ROUNDS; index += 1) {
        for (const way of ['own', 'shared'] as const) {
          const costs = await round(peer, clients, { way, count });
          for (const [name, cost] of Object.entries(costs)) {
            found.set(`${name} ${way}`, [...(found.get(`${name} ${way}`) ?? []), cost]);
          }
        }
      }
      return rowsOf((name, way) => median(found.get(`${name} ${way}`) ?? []));
    } finally {
      await guest.close();
    }
  });
}

function rowsOf(of: (name: keyof Costs, way: Way) => number): Row[] {
  const against = (cost: keyof Costs, what: string) =>
    row(
      `${what} by list and policy, server's CPU`,
      'µs',
      { figure: of(cost, 'shared'), yardstick: 'by ownership', yardstickFigure: of(cost, 'own') },
      { atMost: AT_MOST },
    );
  return [against('put', 'PUT 1 KiB'), against('get', 'GET 1 KiB')];
}

/** Creates the shared bucket. The guest's project is last in the ACL, and no policy statement applies to the guest. */
async function share(client: Client): Promise<void> {
  await client.createBucket({ bucket: SHARED });
  await client.putBucketAcl({ bucket: SHARED, acl: listed('WRITE') });
  const arn = `arn:aws:s3:::${SHARED}`;
  const statements = Array.from({ length: OTHERS }, (_, index) => ({
    Effect: index % 2 === 0 ? 'Deny' : 'Allow',
    Principal: { AWS: index % 4 < 2 ? '*' : `other-${index}@local` },
    Action: ['s3:GetObject', 's3:PutObject', 's3:Put*Acl'],
    Resource: [`${arn}/elsewhere-${index}/*`, `${arn}/*/private-${index}`],
    Condition: { NotIpAddress: { 'aws:SourceIp': ['10.0.0.0/8', '192.168.0.0/16'] } },
  }));
  const everywhere = {
    Effect: 'Deny',
    Principal: '*',
    Action: 's3:*',
    Resource: `${arn}/*`,
    Condition: {
      StringEquals: { 'aws:UserAgent': 'nobody' },
      Bool: { 'aws:SecureTransport': 'true' },
    },
  };
  const policy = { Version: '2012-10-17', Statement: [...statements, everywhere] };
  await client.putBucketPolicy({ bucket: SHARED, policy: JSON.stringify(policy) });
}

function listed(permission: 'READ' | 'WRITE'): AclRequest {
  const others = Array.from({ length: OTHERS }, (_, index) => `other-${index}@local`);
  const owner = { grantee: principalId(BENCH_KEY.principal), permission: 'FULL_CONTROL' } as const;
  return { grants: [owner, ...[...others, GUEST].map((grantee) => ({ grantee, permission }))] };
}

interface Costs {
  readonly put: number;
  readonly get: number;
}

interface Asked {
  readonly way: Way;
  readonly count: number;
}

/** Measures one round. The guest reads the owner's objects, whose ACL grants READ to the guest's project. */
async function round(
  { client: owner, server }: Peer,
  clients: Readonly<Record<Way, Client>>,
  { way, count }: Asked,
): Promise<Costs> {
  const client = clients[way];
  const bucket = way === 'shared' ? SHARED : BUCKET;
  const body = bytesBody(SMALL);
  const ref = (index: number) => ({ bucket, key: `access/${index}` });
  const written = (index: number) => ({ bucket, key: `written/${index}` });
  const given = way === 'shared' ? { acl: listed('READ') } : {};
  // The owner writes all objects before the measurement, so that the guest does not own the objects that it reads or
  // replaces.
  for (const each of [ref, written]) {
    await load(count, IN_FLIGHT, (index) => owner.putObject({ ...each(index), body, ...given }));
  }
  await server.report();
  await load(count, IN_FLIGHT, (index) => client.putObject({ ...written(index), body }));
  const puts = await server.report();
  await load(count, IN_FLIGHT, async (index) => drain((await client.getObject(ref(index))).body));
  const gets = await server.report();
  return { put: (1000 * puts.cpuMs) / count, get: (1000 * gets.cpuMs) / count };
}
