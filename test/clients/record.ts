/**
 * `node test/clients/record.ts [NAME…]`: sends a few requests of real clients through a recording
 * proxy, and stores the bytes in test/wire/recorded. The test test/wire/replay.test.ts sends them
 * again. Without names, it records all installed clients.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { makeCertificate } from '../helpers/certificate.ts';
import { BEFORE, RECORDED_FOLDER, RECORDER } from '../helpers/recordings.ts';
import { awsEnvironment } from './aws/aws.ts';
import { runCommand } from './command.ts';
import { curlEnvironment } from './curl.ts';
import { rcloneEnvironment } from './rclone.ts';
import { RECORDINGS, type Recording } from './recordings.ts';
import { inheritedEnvironment } from './lane.ts';
import { openRecordingProxy, type RecordingProxy } from './recording-proxy.ts';
import { resticEnvironment } from './restic.ts';
import { s3cmdEnvironment } from './s3cmd.ts';
import { s3fsEnvironment } from './s3fs.ts';
import type { Service, Transport } from './service.ts';
import { CLIENTS, findTools, type Tool } from './tools.ts';

const REGION = 'us-east-1';
const folder = mkdtempSync(join(tmpdir(), 'record-'));
const names = new Set(process.argv.slice(2));
const tools = findTools(CLIENTS);

const engine = await openEngine({
  dir: join(folder, 'store'),
  clock: systemClock,
  logger: silentLogger,
  region: REGION,
  quotas: { bucketsPerProject: 1000 },
});
const store = engine.as(internalCaller(RECORDER.principal, systemClock.now()));
const gateway = await openGateway({
  store: (caller) => engine.as(caller),
  identity: { findKey: (id) => (id === RECORDER.accessKeyId ? RECORDER : undefined) },
  dialects: { svc: svcDialect(), amz: amzDialect },
  signatureV2: 'headers',
  host: '127.0.0.1',
  port: 0,
  region: REGION,
  clock: systemClock,
  logger: silentLogger,
});
const certificate = makeCertificate();
const proxies: Record<Transport, RecordingProxy> = {
  http: await openRecordingProxy(gateway.port),
  https: await openRecordingProxy(gateway.port, certificate),
};
writeFileSync(join(folder, 'ca.pem'), certificate.cert);
try {
  for (const recording of RECORDINGS) {
    if (names.size === 0 || names.has(recording.name)) await record(recording);
  }
} finally {
  await Promise.all([proxies.http, proxies.https].map((proxy) => proxy.close()));
  await gateway.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
}

async function record(recording: Recording): Promise<void> {
  const { name, client, transport = 'http' } = recording;
  const tool = toolOf(client);
  if (client !== 'aws-sdk-js' && tool === undefined)
    return say(`${name}: ${client} is not installed`);
  const place = join(folder, name);
  mkdirSync(place);
  const service = serviceOf(transport);
  const bucket = `recorded-${name}`;
  if (recording.makesBucket !== true) await fill(store, bucket);
  const env = { ...inheritedEnvironment(), ...environmentOf(recording, service, place) };
  proxies[transport].take();
  await recording.run({
    service,
    bucket,
    folder: place,
    command: async (command, ...args) => {
      const path = command === client.split('-')[0] ? (tool?.path ?? command) : command;
      const outcome = await runCommand(path, args, { env, cwd: place });
      if (outcome.code !== 0) say(`${name}: ${outcome.line}: ${outcome.code}: ${outcome.stderr}`);
      return outcome.stdout.toString().trim();
    },
  });
  const requests = proxies[transport].take();
  writeFileSync(join(RECORDED_FOLDER, `${name}.http`), Buffer.concat(requests));
  say(`${name}: ${requests.length} requests`);
}

/**
 * Returns the installed tool for a client name. `aws-1` is the newer generation of aws, and `aws-2`
 * is the generation in Debian.
 */
function toolOf(client: string): Tool | undefined {
  const [name, major = ''] = client.split('-');
  return tools.find((tool) => tool.client === name && tool.version.startsWith(major));
}

function serviceOf(transport: Transport): Service {
  const host = `localhost:${proxies[transport].port}`;
  const { accessKeyId, secretAccessKey } = RECORDER;
  return {
    transport,
    endpoint: `${transport}://${host}`,
    host,
    region: REGION,
    accessKeyId,
    secretAccessKey,
    ...(transport === 'https' && { caFile: join(folder, 'ca.pem') }),
  };
}

function environmentOf({ client }: Recording, service: Service, place: string): NodeJS.ProcessEnv {
  const environments: Readonly<Record<string, typeof awsEnvironment>> = {
    aws: awsEnvironment,
    curl: curlEnvironment,
    rclone: rcloneEnvironment,
    restic: resticEnvironment,
    s3cmd: s3cmdEnvironment,
    s3fs: s3fsEnvironment,
  };
  return environments[client.split('-')[0] ?? '']?.(service, place) ?? {};
}

async function fill(into: ObjectStore, bucket: string): Promise<void> {
  await into.createBucket({ bucket });
  for (const [key, content] of Object.entries(BEFORE)) {
    await into.putObject({ bucket, key, body: bytesBody(content) });
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
