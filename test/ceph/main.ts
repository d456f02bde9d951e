/**
 * Runs the contract tests of ObjectStore and the tests of the mirror against a real Ceph RGW.
 *
 * `npm run test:ceph [-- --install] [-- --keep] [-- --show] [-- --only contract|mirror]`
 *
 * `differences.ts` lists each known failure with its reason. The exit code is 1 if another test
 * fails or a listed test passes. It is 2 if Ceph is not installed. `--show` prints why each test
 * failed.
 */

import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';

import { startVitest, type TestCase } from 'vitest/node';

import { aptLine, install } from '../clients/tools.ts';
import { type CephUser, startCluster } from './cluster.ts';
import { DIFFERENCES } from './differences.ts';

declare module 'vitest' {
  interface ProvidedContext {
    ceph: { readonly endpoint: string; readonly owner: CephUser; readonly stranger: CephUser };
  }
}

/** Debian packages. Each has the name of a program that the tests need from it. */
const PACKAGES = {
  radosgw: 'radosgw',
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  'ceph-common': 'ceph',
};

const { values } = parseArgs({
  options: {
    install: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});

process.exitCode = await main();

async function main(): Promise<number> {
  const missing = Object.entries(PACKAGES).flatMap(([name, program]) =>
    isOnPath(program) ? [] : [name],
  );
  if (missing.length > 0 && !values.install) {
    say(
      `missing: ${missing.join(', ')}\n  ${aptLine(missing)}\nor: npm run test:ceph -- --install`,
    );
    return 2;
  }
  if (missing.length > 0) install(missing);
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-ceph-'));
  try {
    return await checkContract(folder);
  } finally {
    if (values.keep) say(`kept: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

async function checkContract(folder: string): Promise<number> {
  const startedAt = performance.now();
  const cluster = await startCluster(folder);
  try {
    say(`Ceph ${cluster.version} at ${cluster.endpoint}, after ${seconds(startedAt)} s`);
    const [owner, stranger] = [await cluster.addUser('owner'), await cluster.addUser('stranger')];
    const tests = await runContract({ endpoint: cluster.endpoint, owner, stranger });
    return judge(tests, seconds(startedAt));
  } finally {
    await cluster.stop();
  }
}

async function runContract(ceph: {
  endpoint: string;
  owner: CephUser;
  stranger: CephUser;
}): Promise<readonly TestCase[]> {
  const vitest = await startVitest('test', [], {
    config: false,
    root: join(import.meta.dirname, '../..'),
    watch: false,
    include: [`test/ceph/${values.only ?? '*'}.ceph.ts`],
    reporters: [{}],
    provide: { ceph },
    env: { HOLDFAST_TEST_PART_BYTES: String(5 * 1024 ** 2) },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  });
  const modules = vitest.state.getTestModules();
  await vitest.close();
  // Vitest also sets a failing exit code for known differences, so the exit code is reset here.
  process.exitCode = 0;
  const errors = modules.flatMap((module) => module.errors());
  if (errors.length > 0)
    throw new Error(`run contract: ${errors[0]?.message ?? 'it did not start'}`);
  return modules.flatMap((module) => Array.from(module.children.allTests()));
}

/** Prints all results that differ from the expected results, and returns the exit code. */
function judge(tests: readonly TestCase[], took: string): number {
  const differences = DIFFERENCES.filter(
    ({ suite = 'contract' }) => suite === (values.only ?? suite),
  );
  const known = new Map(
    differences.flatMap(({ claims, isRace = false }) => claims.map((claim) => [claim, isRace])),
  );
  const names = new Set(tests.map(nameOf));
  const failed = tests.filter((test) => test.result().state === 'failed');
  const skipped = tests.filter((test) => test.result().state === 'skipped');
  const unexpected = failed.filter((test) => !known.has(nameOf(test)));
  const failedNames = new Set(failed.map(nameOf));
  const gone = Array.from(known).flatMap(([claim, isRace]) =>
    failedNames.has(claim) || (isRace && names.has(claim)) ? [] : [claim],
  );
  for (const [index, { reason, claims }] of differences.entries()) {
    say(`\ndifference ${index + 1}: ${reason}`);
    for (const claim of claims) say(`  - ${claim}`);
  }
  if (skipped.length > 0) say('\nskipped:');
  for (const test of skipped) say(`  - ${nameOf(test)}: ${noteOf(test)}`);
  for (const test of values.show ? failed : unexpected) {
    say(`\nFAILED ${nameOf(test)}\n  ${messageOf(test)}`);
  }
  for (const claim of gone) {
    const what = names.has(claim) ? 'passes now' : 'no longer exists';
    say(`\nGONE ${claim}: the test ${what}; remove it from differences.ts`);
  }
  const passed = tests.length - failed.length - skipped.length;
  say(
    `\n${tests.length} tests in ${took} s: ${passed} passed, ${failed.length - unexpected.length} failed as listed, ` +
      `${skipped.length} skipped, ${unexpected.length} failed unexpectedly`,
  );
  return unexpected.length + gone.length > 0 || passed === 0 ? 1 : 0;
}

/**
 * Returns the full title of a test without the ids of rows in test/SPECIFICATION.md, because these
 * ids may change.
 */
function nameOf(test: TestCase): string {
  return test.fullName.replace(/^radosgw > /, '').replace(/\[[a-z]+-\d+\] /g, '');
}

function messageOf(test: TestCase): string {
  const { errors = [] } = test.result();
  return errors
    .map(({ message }) =>
      message
        .split('\n')
        .slice(0, values.show ? 60 : 6)
        .join('\n  '),
    )
    .join('\n  ');
}

function noteOf(test: TestCase): string {
  const result = test.result();
  return result.state === 'skipped' ? (result.note ?? 'it says nothing') : '';
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
