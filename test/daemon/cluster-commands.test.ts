/**
 * Tests of the `cluster` commands with a real daemon, with the cluster service of a second daemon,
 * and after a kill.
 */

import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startDaemon, type RunningDaemon } from '../../daemon/main.ts';
import { systemClock } from '../../src/base/clock.ts';
import { resolveHome } from '../../src/config/home.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { startDaemonProcess } from '../helpers/daemon-process.ts';
import { runCli, jsonOf } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'clusters-'));
/**
 * Homes of two daemons. The daemon `near` serves clusters, and `far` uses `near` as a remote
 * service.
 */
const HOMES = { near: join(FOLDER, 'near'), far: join(FOLDER, 'far') };
const AT_ONCE =
  'seconds: {createCluster: 0, deleteCluster: 0, createNodegroup: 0, deleteNodegroup: 0, batch: 0}';
const daemons: RunningDaemon[] = [];

const run = (line: string, { stdin, home = HOMES.near }: { stdin?: string; home?: string } = {}) =>
  runCli(line.split(' '), {
    env: { HOLDFAST_HOME: home },
    cwd: FOLDER,
    clock: systemClock,
    ...(stdin !== undefined && { stdin }),
  });

async function ok(line: string, options: { stdin?: string; home?: string } = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await run(line, options);
  expect({ line, exitCode, stderr }).toEqual({
    line,
    exitCode: 0,
    stderr: expect.any(String) as string,
  });
  return stdout;
}

const returned = async (line: string, home?: string) =>
  jsonOf(await ok(`${line} --json`, home === undefined ? {} : { home })) as Readonly<
    Record<string, unknown>
  >;

async function start(home: string, config: string): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'config.yaml'), config);
  daemons.push(await startDaemon({ home: resolveHome({ homeFlag: home, env: {}, cwd: '/' }) }));
}

beforeAll(async () => {
  await start(HOMES.near, `storage: {port: 0}\nclusters: {port: 0, ${AT_ONCE}}\n`);
  const { listeners } = await returned('status');
  const { url } = (listeners as { name: string; url: string }[]).find(
    ({ name }) => name === 'clusters',
  ) ?? { url: '' };
  mkdirSync(join(HOMES.far, 'credentials'), { recursive: true, mode: 0o700 });
  const { accessKeyId, secretAccessKey } = await returned('admin credentials --show-secret');
  const file = join(FOLDER, 'near.json');
  writeFileSync(file, JSON.stringify({ accessKeyId, secretAccessKey }), { mode: 0o600 });
  // The service `scripted` reads its access key from the output of a command, as with a password
  // manager.
  const services = [
    `{name: near, url: '${url}', credentialsFile: '${file}'}`,
    `{name: scripted, url: '${url}', credentials: {command: [cat, '${file}']}}`,
    `{name: without, url: '${url}'}`,
  ];
  await start(HOMES.far, `storage: {port: 0}\nclusters: {services: [${services.join(', ')}]}\n`);
});

afterAll(async () => {
  for (const daemon of daemons) await daemon.stop('the tests are over');
  rmSync(FOLDER, { recursive: true });
});

describe('the `cluster` commands', () => {
  it('`admin credentials --env` prints the URL of the cluster service only if the daemon serves clusters', async () => {
    const near = await ok('admin credentials --env');
    const { listeners } = await returned('status');
    const url = (listeners as { name: string; url: string }[]).find(
      ({ name }) => name === 'clusters',
    )?.url;
    expect(near).toContain(
      `export HOLDFAST_CLUSTER_URL=${url}\nexport AWS_ENDPOINT_URL_EKS=${url}\n`,
    );
    const far = await ok('admin credentials --env', { home: HOMES.far });
    expect(far).not.toMatch(/CLUSTER_URL|EKS/);
  });

  it('`cluster` commands create, scale, show and delete a cluster and a node group', async () => {
    expect(await ok('cluster list')).toBe('');
    expect(await ok('cluster create prod --tag team=web --wait')).toBe('prod  ACTIVE\n');
    const group =
      'cluster nodegroups create prod workers --instance-type m1.small --max 6 --desired 3';
    await ok(`${group} --label tier=web --taint dedicated=web:NO_SCHEDULE --wait`);
    expect(await ok('cluster nodegroups list prod')).toMatch(
      /workers +ACTIVE +3 +1 +6 +m1\.small +1\.34/,
    );
    expect(
      await ok('cluster nodegroups update prod workers --desired 5 --remove-label tier --wait'),
    ).toMatch(/^update \S+ {2}Successful\n$/);
    expect(await returned('cluster nodegroups describe prod workers')).toMatchObject({
      scalingConfig: { minSize: 1, desiredSize: 5, maxSize: 6 },
      labels: {},
      taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }],
    });
    expect(await ok('cluster nodegroups updates prod workers')).toMatch(/Successful +ConfigUpdate/);
    expect((await run('cluster delete prod --yes')).stderr).toContain('nodegroups attached');
    await ok('cluster nodegroups delete prod workers --yes --wait');
    expect(await ok('cluster delete prod --yes --wait')).toBe('prod  gone\n');
  });

  it('`cluster nodegroups export` prints a file from which another node group can be created', async () => {
    await ok('cluster create export --wait');
    await ok('cluster nodegroups create export a --instance-type x --max-unavailable 25% --wait');
    const file = await ok('cluster nodegroups export export a');
    expect(file).toContain('maxUnavailablePercentage: 25');
    await ok('cluster nodegroups create export b --from-file - --wait', { stdin: file });
    const [a, b] = [
      await returned('cluster nodegroups export export a'),
      await returned('cluster nodegroups export export b'),
    ];
    expect({ ...b, nodegroupName: 'a' }).toEqual(a);
  });

  describe('the exit code of commands that wait for a node group', () => {
    const groupOf = (status: string) => ({
      nodegroupName: 'workers',
      clusterName: 'prod',
      status,
      instanceTypes: ['a'],
      labels: {},
      subnets: [],
      tags: {},
      taints: [],
      resources: { autoScalingGroups: [] },
      health: { issues: [] },
    });

    it.each([
      ['create prod workers --instance-type a --wait', 'ACTIVE', 0],
      ['create prod workers --instance-type a --wait', 'DEGRADED', 3],
      ['create prod workers --instance-type a --wait', 'CREATE_FAILED', 1],
      ['create prod workers --instance-type a', 'CREATING', 0],
      ['wait prod workers', 'DEGRADED', 3],
      ['wait prod workers', 'CREATE_FAILED', 1],
      ['delete prod workers --yes --wait', 'DELETE_FAILED', 1],
    ])(
      '`cluster nodegroups %s` for a node group in the state %s exits with code %i',
      async (line, status, code) => {
        const { socketPath } = await controlFixture({
          'nodegroups.create': async () => groupOf('CREATING'),
          'nodegroups.delete': async () => groupOf('DELETING'),
          'nodegroups.describe': async () => groupOf(status),
        });
        const home = dirname(socketPath);
        const { exitCode, stdout } = await run(`cluster nodegroups ${line}`, { home });
        expect([exitCode, stdout]).toEqual([code, `workers  ${status}\n`]);
      },
    );

    it('`cluster nodegroups wait` escapes control characters that the service returns', async () => {
      const statuses = ['DELETING\u001b[2J', 'FAILED'];
      const health = { issues: [] };
      const cluster = {
        name: 'prod',
        status: 'DELETING',
        tags: {},
        resourcesVpcConfig: {},
        health,
      };
      const { socketPath } = await controlFixture({
        'clusters.delete': async () => cluster,
        'clusters.describe': async () => ({ ...cluster, status: statuses.shift() ?? 'FAILED' }),
      });
      const home = dirname(socketPath);
      const { exitCode, stderr } = await run('cluster delete prod --yes --wait', { home });
      const lines = 'cluster prod  DELETING\\x1b[2J\ncluster prod  FAILED\n';
      expect([exitCode, stderr]).toEqual([1, lines]);
    });
  });

  it.each([
    ['cluster nodegroups create none x --instance-type a', 1, /No cluster found for name: none\./],
    ['cluster describe none', 1, /No cluster found/],
    ['cluster delete none', 2, /it needs --yes/],
    ['cluster nodegroups update a b', 2, /no change is given/],
    [
      'cluster nodegroups update a b --desired 1 --to-version 2',
      2,
      /cannot use --to-version with other changes/,
    ],
    ['cluster nodegroups update a b --taint x', 2, /KEY=VALUE:NO_SCHEDULE/],
    ['cluster nodegroups update a b --max-unavailable x', 2, /a number of nodes, or 25%/],
    ['cluster list --service other', 1, /services: local/],
    ['cluster create -- -x', 2, /name: must be letters/],
  ])('the command line rejects `%s`', async (line, exitCode, message) => {
    const { stderr, ...result } = await run(line);
    expect({ exitCode: result.exitCode, stderr }).toEqual({
      exitCode,
      stderr: expect.stringMatching(message) as string,
    });
  });

  it('`cluster` commands with --service use a remote service, and report its errors', async () => {
    const { far: home } = HOMES;
    await ok('cluster create remote --service near --wait', { home });
    await ok('cluster nodegroups create remote r --instance-type a --service scripted --wait', {
      home,
    });
    expect(await returned('cluster nodegroups list remote')).toMatchObject({
      nodegroups: [{ nodegroupName: 'r', status: 'ACTIVE' }],
    });
    expect((await returned('cluster list', home))['clusters']).toEqual([]);
    const { stderr } = await run('cluster delete remote --service near --yes', { home });
    expect(stderr).toContain('Cluster has nodegroups attached');
    expect(await ok('cluster services', { home })).toMatch(/near +http[^]*without +http/);
    expect((await run('cluster list --service without', { home })).stderr).toMatch(
      /read credentials .*without\.json: the file does not exist/,
    );
  });
});

describe('a daemon that is killed during the update of a node group', () => {
  it('a daemon that is killed during the update of a node group completes the update after its restart', async () => {
    const home = join(temporaryFolder('hf-clusters'), 'home');
    mkdirSync(home, { mode: 0o700 });
    const seconds = '{createCluster: 0, createNodegroup: 0, batch: 0.7}';
    const config = `storage: {port: 0}\nclusters: {seconds: ${seconds}}\n`;
    writeFileSync(join(home, 'config.yaml'), config, { mode: 0o600 });
    const first = await startDaemonProcess(home);
    await first.client.call('clusters.create', { name: 'prod' });
    const ref = { clusterName: 'prod', nodegroupName: 'workers' };
    const scalingConfig = { minSize: 1, desiredSize: 2, maxSize: 6 };
    await first.client.call('nodegroups.create', { ...ref, instanceTypes: ['a'], scalingConfig });
    const { id: updateId } = await first.client.call('nodegroups.updateConfig', {
      ...ref,
      scalingConfig: { desiredSize: 5 },
    });
    await first.kill();
    const second = await startDaemonHere(home);
    try {
      expect(await ok('cluster nodegroups wait prod workers', { home })).toBe('workers  ACTIVE\n');
      const { status } = await second.client.call('nodegroups.describeUpdate', {
        ...ref,
        updateId,
      });
      expect(status).toBe('Successful');
      const group = await second.client.call('nodegroups.describe', ref);
      expect(group.scalingConfig).toEqual({ ...scalingConfig, desiredSize: 5 });
    } finally {
      await second.stop();
    }
  });
});
