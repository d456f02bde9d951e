/**
 * Starts a Ceph cluster on the loopback interface: one monitor, one object storage daemon in memory
 * and one radosgw. The cluster is empty, and all its files are in one temporary folder. It needs
 * the Debian packages radosgw, ceph-mon, ceph-osd and ceph-common.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Timeout in milliseconds for the first response of the cluster, which usually takes about 13
 * seconds.
 */
const START_TIMEOUT_MS = 120_000;
const POLL_MS = 250;
const STOP_TIMEOUT_MS = 15_000;

export interface CephUser {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface Cluster {
  readonly endpoint: string;
  readonly version: string;
  /** Creates another radosgw user in the same cluster. */
  addUser(name: string): Promise<CephUser>;
  stop(): Promise<void>;
}

interface Place {
  readonly folder: string;
  readonly conf: string;
  readonly keyring: string;
  readonly daemons: ChildProcess[];
}

/**
 * Starts the Ceph daemons and creates one user. If a Ceph daemon fails, the error contains its last
 * output.
 */
export async function startCluster(folder: string): Promise<Cluster> {
  const place = {
    folder,
    conf: join(folder, 'ceph.conf'),
    keyring: join(folder, 'keyring'),
    daemons: [],
  };
  const ports = await freePorts(3);
  const fsid = randomUUID();
  for (const name of ['log', 'run', 'mon', 'osd', 'rgw']) mkdirSync(join(folder, name));
  writeFileSync(place.conf, configuration(folder, fsid, ports));
  try {
    await startMonitor(place, fsid, ports);
    await startObjectDaemon(place);
    const endpoint = `http://127.0.0.1:${ports[2]}`;
    await startGateway(place, endpoint);
    const { stdout } = await run('radosgw', ['--version']);
    return {
      endpoint,
      version: /version (\S+)/.exec(stdout)?.[1] ?? stdout.trim(),
      addUser: (name) => addUser(place, name),
      stop: () => stop(place),
    };
  } catch (error) {
    await stop(place);
    throw error;
  }
}

/**
 * Returns the text of ceph.conf. All Ceph daemons share one keyring, because radosgw cannot log in
 * without cephx. Pools are tiny and store one copy of each object.
 */
function configuration(folder: string, fsid: string, [mon, , rgw]: readonly number[]): string {
  return `
[global]
fsid = ${fsid}
mon_host = v2:127.0.0.1:${mon}
mon_initial_members = a
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
public_network = 127.0.0.0/8
ms_bind_ipv6 = false
keyring = ${folder}/keyring
run_dir = ${folder}/run
crash_dir = ${folder}/run
log_file = ${folder}/log/$name.log
admin_socket = $run_dir/$name.$pid.asok
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 8
osd_pool_default_pgp_num = 8
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 4000
mon_data_avail_warn = 1
mon_data_avail_crit = 1
mon_warn_on_pool_no_redundancy = false
mon_warn_on_insecure_global_id_reclaim_allowed = false
[mon]
mon_data = ${folder}/mon/ceph-$id
[osd]
osd_data = ${folder}/osd/ceph-$id
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_class_load_list = *
osd_class_default_list = *
[client.rgw]
rgw_data = ${folder}/rgw
rgw_frontends = beast endpoint=127.0.0.1:${rgw}
rgw_dns_name = localhost
rgw_enable_apis = s3, s3website, admin
rgw_enable_static_website = true
rgw_crypt_require_ssl = false
rgw_bucket_quota_ttl = 0
rgw_num_rados_handles = 1
rgw_thread_pool_size = 64
`;
}

async function startMonitor(place: Place, fsid: string, [port]: readonly number[]): Promise<void> {
  const { keyring, folder } = place;
  const key = (name: string, ...caps: string[]) =>
    run(
      'ceph-authtool',
      [keyring, '--gen-key', '-n', name].concat(caps.flatMap((on) => ['--cap', on, 'allow *'])),
    );
  await run('ceph-authtool', ['--create-keyring', keyring]);
  await key('mon.', 'mon');
  await key('client.admin', 'mon', 'osd', 'mgr');
  await key('client.rgw', 'mon', 'osd', 'mgr');
  await key('osd.0', 'mon', 'osd', 'mgr');
  const map = join(folder, 'monmap');
  const address = `[v2:127.0.0.1:${port}]`;
  await run('monmaptool', ['--create', '--clobber', '--fsid', fsid, '--addv', 'a', address, map]);
  const make = ['-c', place.conf, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring];
  await run('ceph-mon', make);
  start(place, 'ceph-mon', ['-i', 'a', '-f']);
  await ceph(place, 'mon', 'stat');
}

async function startObjectDaemon(place: Place): Promise<void> {
  const id = randomUUID();
  await ceph(place, 'osd', 'new', id);
  mkdirSync(join(place.folder, 'osd', 'ceph-0'));
  await run('ceph-osd', ['-c', place.conf, '-i', '0', '--mkfs', '--osd-uuid', id]);
  start(place, 'ceph-osd', ['-i', '0', '-f']);
  await until('the object daemon is up', async () => {
    const { stdout } = await ceph(place, 'osd', 'stat');
    return stdout.includes('1 up');
  });
}

async function startGateway(place: Place, endpoint: string): Promise<void> {
  start(place, 'radosgw', ['-n', 'client.rgw', '-f']);
  await until('radosgw answers', async () => {
    try {
      return (await fetch(endpoint)).ok;
    } catch {
      return false;
    }
  });
}

async function addUser({ conf }: Place, name: string): Promise<CephUser> {
  const accessKeyId = `KEY${name.toUpperCase()}`;
  const secretAccessKey = randomUUID();
  const user = ['user', 'create', '--uid', name, '--display-name', name];
  const key = ['--access-key', accessKeyId, '--secret', secretAccessKey];
  await run('radosgw-admin', ['-c', conf, '-n', 'client.rgw', ...user, ...key]);
  return { accessKeyId, secretAccessKey };
}

/** Starts a Ceph daemon that writes its output to a file in log/. */
function start(place: Place, command: string, args: readonly string[]): void {
  const log = openSync(join(place.folder, 'log', `${command}.out`), 'a');
  const daemon = spawn(command, ['-c', place.conf, ...args], { stdio: ['ignore', log, log] });
  closeSync(log);
  place.daemons.push(daemon);
}

function ceph({ conf }: Place, ...args: readonly string[]) {
  return run('ceph', ['-c', conf, ...args], { timeout: START_TIMEOUT_MS });
}

/** Stops the Ceph daemons in the reverse order of their start. */
async function stop({ daemons }: Place): Promise<void> {
  for (const daemon of daemons.toReversed()) {
    if (daemon.exitCode !== null || daemon.signalCode !== null) continue;
    const ended = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    const killing = setTimeout(() => daemon.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(killing);
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`start Ceph: ${what}: timed out after ${START_TIMEOUT_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
