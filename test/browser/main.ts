/**
 * Checks websites, CORS and uploads by HTML forms in a browser. It controls the Chromium of Debian
 * through a DevTools pipe, and starts a daemon in a new home. With `--install`, it installs the
 * browser if the browser is missing.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { printFinding, printSummary } from '../clients/report.ts';
import type { Finding } from '../clients/lane.ts';
import type { Check, Given, Subject } from './check.ts';
import {
  aptLine,
  type Browser,
  findChromium,
  installChromium,
  PACKAGE,
  startChromium,
} from './chromium.ts';
import { cors } from './cors.ts';
import { forms } from './forms.ts';
import { startSite } from './site.ts';
import { websites } from './websites.ts';

const SUBJECTS: Readonly<Record<string, Subject>> = { websites, cors, forms };

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(SUBJECTS).join() },
    install: { type: 'boolean', default: false },
  },
});

process.exitCode = await main();

async function main(): Promise<number> {
  const subjects = values.only.split(',').map((name) => {
    const subject = SUBJECTS[name];
    if (subject !== undefined) return [name, subject] as const;
    throw new Error(`read --only: ${name} is none of ${Object.keys(SUBJECTS).join(', ')}`);
  });
  if (findChromium() === undefined && values.install) installChromium();
  const path = findChromium();
  if (path === undefined) {
    process.stdout.write(
      `missing: ${PACKAGE}\n  ${aptLine()}\nor: npm run test:browser -- --install\n`,
    );
    return 2;
  }
  const startedAt = performance.now();
  const browser = await startChromium(path);
  try {
    const findings = await checkAll(browser, subjects);
    printSummary(findings, (performance.now() - startedAt) / 1000);
    return findings.some(({ result }) => result === 'failed') ? 1 : 0;
  } finally {
    await browser.close();
  }
}

async function checkAll(
  browser: Browser,
  subjects: readonly (readonly [name: string, subject: Subject])[],
): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-browser-'));
  const site = await startSite(folder);
  const findings: Finding[] = [];
  try {
    for (const [name, { setUp, checks }] of subjects) {
      await setUp(site);
      for (const check of checks) {
        const outcome = await outcomeOf(check, { site, browser });
        const finding = { client: shortName(browser), transport: name, ...outcome };
        findings.push(finding);
        printFinding(finding);
      }
    }
  } finally {
    await site.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return findings;
}

async function outcomeOf(
  { claim, run }: Check,
  given: Given,
): Promise<Omit<Finding, 'client' | 'transport'>> {
  const startedAt = performance.now();
  const page = await given.browser.open();
  const failure = await run(page, given).then(
    () => undefined,
    (error: unknown) => error,
  );
  await page.close();
  const seconds = (performance.now() - startedAt) / 1000;
  if (failure === undefined) return { claim, result: 'ok', seconds };
  const detail = failure instanceof Error ? (failure.stack ?? failure.message) : 'no error';
  return { claim, result: 'failed', seconds, detail };
}

/** Returns the short name of a browser, such as `chromium 156` for `Chrome/156.0.0.0`. */
function shortName({ version }: Browser): string {
  return `${PACKAGE} ${/\d+/.exec(version)?.[0] ?? ''}`;
}
