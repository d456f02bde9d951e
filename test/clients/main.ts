/**
 * `npm run test:clients [-- --only rclone,http] [-- --install] [-- --keep] [-- --json FILE]`: runs
 * common S3 clients against the built daemon, over HTTP and HTTPS, and prints a line for each
 * check. Exit code 1 means that a check failed. Exit code 2 means that a tool is missing.
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
import { checkRecipes } from './recipes.ts';
import { printFinding, printSummary } from './report.ts';
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

/** Exit code after SIGINT, the same as that of shells. */
const INTERRUPTED = 130;
const TRANSPORTS = ['http', 'https'] as const;
/** Name in `--only` that selects the recipes of the documentation. */
const RECIPES = 'recipes';
const words = values.only.split(',').filter((word) => word !== '');
const unknown = words.filter(
  (word) => ![...CLIENTS, ...TRANSPORTS, RECIPES].some((name) => name === word),
);
if (unknown.length > 0) {
  const known = [...CLIENTS, ...TRANSPORTS, RECIPES].join(', ');
  throw new Error(`read --only: ${unknown.join(', ')} is none of ${known}`);
}

/** Returns the names that `--only` contains, or all names if `--only` contains none of them. */
function wanted<T extends string>(names: readonly T[]): readonly T[] {
  const named = names.filter((name) => words.some((word) => word === name));
  return named.length > 0 ? named : names;
}

const interrupt = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
process.exitCode = await main();

async function main(): Promise<number> {
  const clients = words.join() === RECIPES ? [] : wanted(CLIENTS);
  const missing = missingPackages(clients);
  if (missing.length > 0 && !values.install) {
    process.stdout.write(
      `missing: ${missing.join(', ')}\n  ${aptLine(missing)}\nor: npm run test:clients -- --install\n`,
    );
    return 2;
  }
  if (missing.length > 0) install(missing);
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-clients-'));
  try {
    return await checkAll(findTools(clients), folder);
  } finally {
    if (values.keep) process.stdout.write(`kept: ${folder}\n`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function checkAll(tools: readonly Tool[], folder: string): Promise<number> {
  const findings: Finding[] = [];
  const startedAt = performance.now();
  const running = await startService(folder);
  const transports = wanted(TRANSPORTS);
  const services = running.services.filter(({ transport }) => transports.includes(transport));
  try {
    // Each client runs over HTTP and HTTPS at the same time, because starting interpreters takes
    // half of the time.
    for (const tool of tools) {
      const lanes = services.map((service) => laneOf(tool, service, { folder, findings }));
      await Promise.all(lanes.map((lane) => lane.goThrough(SCRIPTS[tool.client].checks)));
    }
  } finally {
    await running.stop();
  }
  if (words.length === 0 || words.includes(RECIPES))
    await checkRecipes((finding) => noteFinding(findings, finding), interrupt.signal);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(findings, undefined, 2)}\n`);
  printSummary(findings, (performance.now() - startedAt) / 1000);
  if (interrupt.signal.aborted) return INTERRUPTED;
  return findings.some(({ result }) => result === 'failed') ? 1 : 0;
}

function laneOf(
  tool: Tool,
  service: Service,
  { folder: parent, findings }: { readonly folder: string; readonly findings: Finding[] },
): Lane {
  const folder = join(parent, service.transport, tool.title.replaceAll(' ', '-'));
  const env = SCRIPTS[tool.client].environment(service, folder);
  const onFinding = (finding: Finding): void => noteFinding(findings, finding);
  return new Lane({ tool, service, folder, env, onFinding, signal: interrupt.signal });
}

function noteFinding(findings: Finding[], finding: Finding): void {
  findings.push(finding);
  printFinding(finding);
}
