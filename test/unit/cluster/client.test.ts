/**
 * Tests of the cluster client with services other than Holdfast: missing operations, omitted fields
 * and other error formats.
 */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../../src/base/clock.ts';
import { openClusterClient } from '../../../src/cluster/client/cluster-client.ts';
import { svcDialect } from '../../../src/protocol/dialect.ts';

interface Said {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Starts a service that gives each request the next response and then repeats the last one, and
 * connects a client.
 */
async function clientOf(...answers: readonly Said[]) {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const said = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    response.writeHead(said?.status ?? 500, said?.headers).end(said?.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = openClusterClient({
    url: `http://127.0.0.1:${port}/api/v1/`,
    region: 'us-east-1',
    dialect: { ...svcDialect(), service: 'eks' },
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    clock: systemClock,
  });
  onTestFinished(() => client.close());
  return { client, asked };
}

const REF = { clusterName: 'prod', nodegroupName: 'workers' };

describe('cluster services other than Holdfast', () => {
  test.each([404, 405, 501])(
    'the cluster client reports an operation as missing if the service returns %d',
    async (status) => {
      const { client, asked } = await clientOf({ status, body: '<html>nothing here</html>' });
      await expect(client.listClusters({})).rejects.toMatchObject({
        code: 'UnknownOperationException',
        message: expect.stringMatching(/^ListClusters: the service at .* does not have/) as string,
      });
      expect([...client.missing]).toEqual(['listClusters']);
      expect(asked).toEqual(['GET /api/v1/clusters']);
    },
  );

  test('the cluster client reads lists and maps that a service omits as empty', async () => {
    const nodegroup = { nodegroupName: 'workers', clusterName: 'prod', createdAt: 1.5 };
    const body = JSON.stringify({ nodegroup: { ...nodegroup, labels: null } });
    const { client } = await clientOf({ status: 200, body });
    expect(await client.deleteNodegroup(REF)).toMatchObject({
      ...nodegroup,
      createdAt: 1500,
      labels: {},
      taints: [],
      health: { issues: [] },
    });
  });

  test.each([
    [{ status: 200, body: '{}' }, /has no field nodegroup/],
    [{ status: 200, body: '<html>' }, /it is not JSON/],
    [{ status: 200, body: `"${'x'.repeat(1024 * 1024)}"` }, /more than 1048576 bytes/],
  ])(
    'the cluster client states the reason in the error for an unusable response: case %#',
    async (said, message) => {
      const { client } = await clientOf(said);
      await expect(client.describeNodegroup(REF)).rejects.toThrow(message);
    },
  );

  test.each([
    [
      { headers: { 'x-amzn-errortype': 'ResourceInUseException:http://x' } },
      'ResourceInUseException',
    ],
    [{ headers: { 'x-other-errortype': 'ResourceInUseException' } }, 'ResourceInUseException'],
    [{ body: '{"__type":"a.b#ResourceInUseException","message":"m"}' }, 'ResourceInUseException'],
    [{ body: '{"code":"Unheard","message":"m"}' }, 'ClientException'],
  ])(
    'the cluster client reads an error code from the headers or the body of a response: case %#',
    async (said, code) => {
      const { client } = await clientOf({ status: 409, ...said });
      await expect(client.deleteCluster(REF)).rejects.toMatchObject({ code });
    },
  );

  test('the cluster client retries ListClusters after a 503 response, but not DeleteCluster', async () => {
    const busy = { status: 503 };
    const fine = { status: 200, body: '{"clusters":["a"]}' };
    const reading = await clientOf(busy, fine);
    expect(await reading.client.listClusters({})).toEqual({ clusters: ['a'] });
    expect(reading.asked).toHaveLength(2);
    const changing = await clientOf(busy, fine);
    await expect(changing.client.deleteCluster(REF)).rejects.toMatchObject({
      code: 'ServiceUnavailableException',
    });
    expect(changing.asked).toHaveLength(1);
  });
});

test('the cluster client fails a request with invalid parameters without sending it', async () => {
  const { client, asked } = await clientOf({ status: 200, body: '{}' });
  await expect(
    client.createNodegroup({ ...REF, instanceTypes: [], labels: { a: 'b' } }),
  ).rejects.toMatchObject({ code: 'InvalidParameterException' });
  expect(asked).toEqual([]);
});

test.each(['ftp://a', 'http://a?b', 'http://u:p@a', 'a'])(
  'the cluster client refuses the service URL %s',
  (url) => {
    const options = { region: 'a', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };
    const dialect = svcDialect();
    expect(() => openClusterClient({ url, ...options, dialect, clock: systemClock })).toThrow(
      TypeError,
    );
  },
);
