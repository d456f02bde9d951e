/**
 * `npm run test:clients [-- --only rclone,http] [-- --install] [-- --keep] [-- --json FILE]`: the tools that
 * people use, against the built daemon, over HTTP and HTTPS. Prints a line for each check; exit code 1 when
 * one failed, 2 when a tool is missing.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { awsEnvironment } from './aws/aws.ts';
import { awsChecks } from './aws/checks.ts';
import { curlChecks, curlEnvironment } from './curl.ts';
import { Lane } from './lane.ts';
import type { Finding } from './lane.ts';
import { rcloneChecks, rcloneEnvironment } from './rclone.ts';
import { resticChecks, resticEnvironment } from './restic.ts';
import { s3cmdChecks, s3cmdEnvironment } from './s3cmd.ts';
import { s3fsChecks, s3fsEnvironment } from './s3fs.ts';
import { startService } from './service.ts';
import type { Service } from './service.ts';
import { aptLine, CLIENTS, findTools, install, missingPackages } from './tools.ts';
import type { ClientName, Tool } from './tools.ts';

interface Script {
  readonly environment: (service: Service, folder: string) => NodeJS.ProcessEnv;
  readonly checks: (lane: Lane) => Promise<void>;
}

const SCRIPTS: Readonly<Record<ClientName, Script>> = {
  aws: { environment: awsEnvironment, checks: awsChecks },
  s3cmd: { environment: s3cmdEnvironment, checks: s3cmdChecks },
  rclone: { environment: rcloneEnvironment, checks: rcloneChecks },
  restic: { environment: resticEnvironment, checks: resticChecks },
  s3fs: { environment: s3fsEnvironment, checks: s3fsChecks },
  curl: { environment: curlEnvironment, checks: curlChecks },
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    install: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

const TRANSPORTS = ['http', 'https'] as const;
const words = values.only.split(',').filter((word) => word !== '');
const unknown = words.filter((word) => ![...CLIENTS, ...TRANSPORTS].some((name) => name === word));
if (unknown.length > 0) {
  const known = [...CLIENTS, ...TRANSPORTS].join(', ');
  throw new Error(`read --only: ${unknown.join(', ')} is none of ${known}`);
}

/** Those named by `--only`; all where it names none of them. */
function wanted<T extends string>(names: readonly T[]): readonly T[] {
  const named = names.filter((name) => words.some((word) => word === name));
  return named.length > 0 ? named : names;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const clients = wanted(CLIENTS);
  const missing = missingPackages(clients);
  if (missing.length > 0 && !values.install) {
    process.stdout.write(
      `missing: ${missing.join(', ')}\n  ${aptLine(missing)}\nor: npm run test:clients -- --install\n`,
    );
    return 2;
  }
  if (missing.length > 0) install(missing);
  const startedAt = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-clients-'));
  const findings = await runAll(findTools(clients), folder);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(findings, undefined, 2)}\n`);
  const failed = summarize(findings, (performance.now() - startedAt) / 1000);
  if (values.keep) process.stdout.write(`kept: ${folder}\n`);
  else rmSync(folder, { recursive: true, force: true });
  return failed === 0 ? 0 : 1;
}

async function runAll(tools: readonly Tool[], folder: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const onFinding = (finding: Finding): void => {
    findings.push(finding);
    print(finding);
  };
  const running = await startService(folder);
  try {
    const transports = wanted(TRANSPORTS);
    const services = running.services.filter(({ transport }) => transports.includes(transport));
    // One client over both at once: half of the time goes into starting interpreters.
    for (const tool of tools) {
      await Promise.all(
        services.map((service) =>
          runLane(tool, service, join(folder, service.transport), onFinding),
        ),
      );
    }
  } finally {
    await running.stop();
  }
  return findings;
}

async function runLane(
  tool: Tool,
  service: Service,
  parent: string,
  onFinding: (finding: Finding) => void,
): Promise<void> {
  const script = SCRIPTS[tool.client];
  const folder = join(parent, tool.title.replaceAll(' ', '-'));
  const lane = new Lane({
    tool,
    service,
    folder,
    env: script.environment(service, folder),
    onFinding,
  });
  await script.checks(lane);
}

function print({ client, transport, claim, result, seconds, detail }: Finding): void {
  const label = { ok: 'ok     ', failed: 'FAILED ', skipped: 'SKIPPED' }[result];
  const line = `${label} ${client.padEnd(13)} ${transport.padEnd(5)} ${claim}`;
  process.stdout.write(`${line} (${seconds.toFixed(1)} s)\n`);
  if (detail) process.stdout.write(`${detail.replaceAll(/^/gm, '        ')}\n`);
}

function summarize(findings: readonly Finding[], seconds: number): number {
  const count = (result: Finding['result']): number =>
    findings.filter((each) => each.result === result).length;
  const failed = count('failed');
  const skipped = count('skipped');
  process.stdout.write(
    `${findings.length} checks in ${seconds.toFixed(0)} s: ${count('ok')} ok, ${failed} failed, ${skipped} skipped\n`,
  );
  return failed;
}
