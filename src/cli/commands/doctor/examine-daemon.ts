/**
 * Checks the daemon: whether it responds, its version, its store and its jobs. If no daemon is running, checks what
 * would prevent it from starting.
 */

import { lstatSync } from 'node:fs';
import { createServer } from 'node:net';

import { defined } from '../../../base/defined.ts';
import { failureReason } from '../../../base/disk-error.ts';
import { errorCode } from '../../../base/errors.ts';
import { portHolder } from '../../../config/port-holder.ts';
import { failedFinding, good } from '../../../base/finding.ts';
import type { Finding } from '../../../base/finding.ts';
import type { Config, Listener } from '../../../config/config.ts';
import type { Home } from '../../../config/home.ts';
import { isControlError } from '../../../control/control-error.ts';
import type { Result } from '../../../control/messages.ts';
import { isProtectedOrKept } from '../../../control/protection.ts';
import type { JobStatus, Status } from '../../../control/shapes.ts';
import type { Context } from '../../context.ts';
import { crashText } from '../daemon/offline-status.ts';
import { clockWarning } from '../../output/store-text.ts';
import { shellWord } from '../../output/text.ts';
import { ownVersion } from '../../version.ts';

const CHECK = 'daemon';

export interface DaemonExamined {
  readonly findings: readonly Finding[];
  readonly runs: boolean;
  /** The credentials for the embedded store. Absent if no daemon responds. */
  readonly credentials?: Result<'credentials'>;
}

/** Returns the findings about the daemon, and whether a daemon is running. */
export async function examineDaemon(context: Context, home: Home): Promise<DaemonExamined> {
  const inTheWay = examineSocket(home);
  if (inTheWay) return { findings: [inTheWay], runs: false };
  try {
    return await context.withDaemon(async (daemon) => {
      const status = await daemon.call('status', {});
      const credentials = await daemon.call('credentials', {});
      return { findings: statusFindings(status, daemon.hello.version), runs: true, credentials };
    });
  } catch (error) {
    if (isControlError(error, 'NotRunning')) {
      const message = `no daemon runs, so nothing is mirrored${crashText(home)}`;
      const finding = { check: CHECK, severity: 'note', message, fix: 'holdfast up' } as const;
      return { findings: [finding], runs: false };
    }
    const fix = isControlError(error, 'VersionMismatch') ? 'holdfast down && holdfast up' : 'id';
    return { findings: [failedFinding(CHECK, error, fix)], runs: true };
  }
}

/** Returns a finding if the path of the control socket is occupied by a file that is not a socket. */
function examineSocket({ socketPath }: Home): Finding | undefined {
  const there = lstatSync(socketPath, { throwIfNoEntry: false });
  if (there === undefined || there.isSocket()) return undefined;
  const message = `${socketPath} is not a socket, so no daemon can start or be reached`;
  const fix = `mv ${shellWord(socketPath)} ${shellWord(`${socketPath}.aside`)}`;
  return { check: CHECK, severity: 'failed', message, fix };
}

function statusFindings(status: Status, version: string): readonly Finding[] {
  const { store, jobs, warnings, pid } = status;
  const own = ownVersion();
  const restart = 'holdfast down && holdfast up';
  const running: Finding =
    version === own
      ? good(CHECK, `version ${version} runs, pid ${pid}`)
      : {
          check: CHECK,
          severity: 'attention',
          message: `version ${version} runs, pid ${pid}, and this command is ${own}`,
          fix: restart,
        };
  return [
    running,
    ...storeFindings(store),
    ...warnings.map((message) => ({
      check: CHECK,
      severity: 'attention' as const,
      message,
      fix: message.includes('config check') ? 'holdfast config check' : restart,
    })),
    ...jobs.filter((job) => !isProtectedOrKept(job)).map(jobFinding),
  ];
}

function jobFinding(job: JobStatus): Finding {
  const { name, state, protection } = job;
  return {
    check: `job ${name}`,
    severity: state === 'failed' || state === 'clock' ? 'failed' : 'attention',
    message: [protection.is, protection.reason].filter((part) => part !== undefined).join(': '),
    fix: protection.command ?? `holdfast job show ${name}`,
  };
}

function storeFindings(store: Status['store']): Finding[] {
  const check = 'store';
  const found: Finding[] = clockWarning(store).map((message) => ({
    check,
    severity: 'attention',
    message,
    fix: 'holdfast admin store trust-clock',
  }));
  if (store.state === 'in order') return found.length > 0 ? found : [good(check, store.state)];
  const failed = store.reasons.map((reason) =>
    failedFinding(check, `${store.state}: ${reason}`, 'holdfast admin store check'),
  );
  return [...found, ...failed];
}

export interface RefusedPort {
  /** The option in config.yaml, such as `storage.port`. */
  readonly option: string;
  readonly port: number;
  /** The program that already uses the port. Absent if something else prevents the daemon from listening on it. */
  readonly holder?: string;
  readonly message: string;
}

/**
 * Returns a finding for each configured port that the daemon could not listen on. It must only be called while no
 * daemon is running.
 */
export async function examinePorts(config: Config): Promise<Finding[]> {
  const refused = await refusedPorts(config);
  return refused.map(({ port, message }) =>
    failedFinding('ports', message, `ss -ltnp 'sport = :${port}'`),
  );
}

/**
 * Returns the configured ports that the daemon could not listen on. It must only be called while no daemon is running.
 */
export async function refusedPorts({
  storage,
  metrics,
  clusters,
}: Config): Promise<readonly RefusedPort[]> {
  const { host, tls, website } = storage;
  const wanted: readonly (Listener & { readonly option: string })[] = [
    { host, port: storage.port, option: 'storage.port' },
    ...(tls ? [{ host, port: tls.port, option: 'storage.tls.port' }] : []),
    ...(website ? [{ host, port: website.port, option: 'storage.website.port' }] : []),
    ...(metrics.http ? [{ ...metrics.http, option: 'metrics.http' }] : []),
    ...(clusters.port === undefined
      ? []
      : [{ host: clusters.host, port: clusters.port, option: 'clusters.port' }]),
  ];
  const refused = await Promise.all(wanted.map(refusal));
  return refused.flat();
}

async function refusal({
  host,
  port,
  option,
}: Listener & { readonly option: string }): Promise<RefusedPort[]> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, resolve);
    });
    return [];
  } catch (error) {
    const isTaken = errorCode(error) === 'EADDRINUSE';
    const holder = isTaken ? (portHolder(port) ?? 'another program') : undefined;
    const reason = holder === undefined ? failureReason(error) : `${holder} uses the port`;
    const message = `${option}: cannot listen on ${host}:${port}: ${reason}`;
    return [{ option, port, message, ...defined({ holder }) }];
  } finally {
    server.close();
  }
}
