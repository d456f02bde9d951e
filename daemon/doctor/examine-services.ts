/**
 * Checks for `holdfast doctor` whether each service accepts its access key, has the correct time, and supports its
 * jobs.
 */

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/base/durations.ts';
import { errorMessage } from '../../src/base/errors.ts';
import { failedFinding, good } from '../../src/base/finding.ts';
import type { Finding } from '../../src/base/finding.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { SignedClient } from '../../src/client/signed-client.ts';
import type { ClusterServiceConfig, Config, JobConfig } from '../../src/config/config.ts';
import { askCredentials, type Credentials } from '../../src/config/credentials.ts';
import type { Home } from '../../src/config/home.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { TransportError } from '../../src/object-store/transport-error.ts';
import type { BucketPlace, TargetEndpoint } from '../services/rooms.ts';
import { connectTo } from '../compose/target-clients.ts';
import { TargetDialects } from '../services/target-dialects.ts';
import { examineBucket } from './examine-bucket.ts';
import { examineSupport, type Support } from './examine-support.ts';

/** The time limit for all checks of a service. */
const ANSWER_WITHIN_MS = 15_000;
/**
 * The time limit for testing what a service supports. The test takes some seconds, and longer with a slow service.
 */
const TESTED_WITHIN_MS = 60_000;
/** Clock differences below this value are ignored. They come from network latency and from dates in whole seconds. */
const SKEW_MS = 2 * MINUTE_MS;

export interface ExaminedServices {
  readonly home: Home;
  readonly config: Config;
  readonly clock: Clock;
  /** The URL and access key of the embedded store. Absent if no daemon is running. */
  readonly local?: Credentials & { readonly endpointUrl: string };
  /** Access keys to use instead of the configured keys, by target. For example, a key that is not stored yet. */
  readonly keys?: ReadonlyMap<string, Credentials>;
  /** Tests what the services support, at the destinations of their jobs and at additional destinations. */
  readonly support?: {
    readonly places: readonly BucketPlace[];
    readonly onSupport: (support: Support) => void;
  };
}

/** A storage service to check, with its jobs. */
interface Service {
  readonly endpoint: TargetEndpoint;
  readonly jobs: readonly JobConfig[];
  readonly credentials: () => Credentials | Promise<Credentials>;
  /** The command that replaces the access key. */
  readonly otherKey: string;
  /** Whether the target is not configured yet. In that case, its settings come from options of the command. */
  readonly isNew?: boolean;
}

export async function examineServices(asked: ExaminedServices): Promise<readonly Finding[]> {
  const found = await Promise.all([
    ...servicesOf(asked).map((service) => examine(service, asked)),
    ...asked.config.clusters.services.map(examineClusterKey),
  ]);
  return found.flat();
}

/** Checks that the access key is available. The service is not called, because no backup depends on clusters. */
async function examineClusterKey({ name, credentials }: ClusterServiceConfig): Promise<Finding[]> {
  const check = `credentials of cluster service ${name}`;
  try {
    await askCredentials(credentials, process.env);
    return [good(check, 'available')];
  } catch (error) {
    return [failedFinding(check, error)];
  }
}

function servicesOf({ config, local, keys }: ExaminedServices): readonly Service[] {
  const jobsOf = (name: string) => config.jobs.filter(({ target }) => target === name);
  const remote = config.targets.map((target) => ({
    endpoint: target,
    jobs: jobsOf(target.name),
    credentials: () => keys?.get(target.name) ?? askCredentials(target.credentials, process.env),
    otherKey: `HOLDFAST_TARGET_ACCESS_KEY_ID=… HOLDFAST_TARGET_SECRET_ACCESS_KEY=… holdfast target set-key ${target.name}`,
    isNew: keys?.has(target.name) === true,
  }));
  if (local === undefined) return remote;
  const { endpointUrl, accessKeyId, secretAccessKey } = local;
  const own: Service = {
    endpoint: { ...LOCAL, endpoint: endpointUrl, region: config.region },
    jobs: jobsOf(LOCAL.name),
    credentials: () => ({ accessKeyId, secretAccessKey }),
    otherKey: 'holdfast admin keys list',
  };
  return [own, ...remote];
}

const LOCAL = { name: 'local', protocol: 'svc', addressing: 'path', proxy: 'none' } as const;

async function examine(service: Service, asked: ExaminedServices): Promise<readonly Finding[]> {
  const { name } = service.endpoint;
  let credentials: Credentials;
  try {
    credentials = await service.credentials();
  } catch (error) {
    return [failedFinding(`credentials of ${name}`, error, service.otherKey)];
  }
  const dialect = new TargetDialects(asked.config.vendor).of(service.endpoint);
  const options = { ...asked, dialect, logger: silentLogger };
  let client: SignedClient;
  try {
    client = connectTo(service.endpoint, credentials, options);
  } catch (error) {
    return [failedFinding(`service ${name}`, error, 'holdfast config check')];
  }
  try {
    return await ask(client, service, asked);
  } finally {
    await client.close();
  }
}

async function ask(
  client: SignedClient,
  service: Service,
  { clock, support }: ExaminedServices,
): Promise<Finding[]> {
  const { endpoint, jobs } = service;
  const check = `service ${endpoint.name}`;
  const timeout = new AbortController();
  const withinMs = support ? TESTED_WITHIN_MS : ANSWER_WITHIN_MS;
  const cancel = clock.after(withinMs, () => {
    timeout.abort(new Error(`no response from ${endpoint.endpoint} within ${withinMs / 1_000} s`));
  });
  const { signal } = timeout;
  try {
    const time = await client.serviceTime({ bucket: jobs[0]?.bucket ?? 'holdfast' }, { signal });
    const findings = time === undefined ? [] : clockFindings(endpoint, time.now - clock.now());
    const answered = await client.listBuckets({ signal }).then(
      () => good(check, `${endpoint.endpoint} responds and accepts the key`),
      (error: unknown) => refusal(check, error, service),
    );
    findings.push(answered);
    if (answered.severity === 'failed') return findings;
    for (const job of jobs) findings.push(...(await examineBucket(client, job, signal)));
    if (!support) return findings;
    const ofJobs = jobs.map((job) => ({ place: job, isOfJob: true, lock: job.lock }));
    const others = support.places.map((place) => ({ place, isOfJob: false, lock: undefined }));
    for (const { place, isOfJob, lock } of [...ofJobs, ...others]) {
      const of = { store: client, place, isOfJob, target: endpoint.name, clock, signal };
      const found = await examineSupport({ ...of, ...defined({ lockMode: lock?.mode }) });
      findings.push(...found.findings);
      if (found.support) support.onSupport(found.support);
    }
    return findings;
  } catch (error) {
    const fix = `curl -sv -o /dev/null ${endpoint.endpoint}`;
    return [failedFinding(check, unreachable(endpoint, error), fix)];
  } finally {
    cancel();
  }
}

function unreachable({ endpoint }: TargetEndpoint, error: unknown): string {
  if (error instanceof TransportError && error.code === 'BadResponse') return error.message;
  return isStorageError(error)
    ? `${endpoint} returns an error: ${error.message}`
    : `${endpoint} cannot be reached: ${errorMessage(error)}`;
}

/**
 * Returns the finding for a rejected ListBuckets request. An access key for a single bucket may be valid without
 * permission to list buckets.
 */
function refusal(check: string, error: unknown, { otherKey, isNew }: Service): Finding {
  if (!isStorageError(error)) throw error;
  if (error.code === 'AccessDenied')
    return { check, severity: 'note', message: `the key may not list buckets: ${error.message}` };
  const region = error.details['Region'];
  if (region !== undefined) {
    const message = `the service requires another region: ${error.message}`;
    const fix = isNew ? `--region ${region}` : undefined;
    return { check, severity: 'failed', message, ...defined({ fix }) };
  }
  const isOfKey = !isStorageError(error, 'InvalidArgument', 'InvalidRequest');
  const refused = isOfKey ? 'the key' : 'the request';
  const message = `the service refuses ${refused}: ${error.message}`;
  return { check, severity: 'failed', message, fix: otherKey };
}

function clockFindings({ name }: TargetEndpoint, aheadMs: number): Finding[] {
  const check = `clock of ${name}`;
  const apart = Math.abs(aheadMs);
  if (apart < SKEW_MS)
    return [good(check, `${Math.round(apart / SECOND_MS)} s apart from this machine`)];
  const span =
    apart < HOUR_MS ? `${Math.round(apart / MINUTE_MS)} minutes` : `${hours(apart)} hours`;
  const message = `the service is ${span} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine; locks begin and end by the clock of the service`;
  return [{ check, severity: 'attention', message, fix: 'sudo timedatectl set-ntp true' }];
}

function hours(ms: number): string {
  return (ms / HOUR_MS).toFixed(1);
}
