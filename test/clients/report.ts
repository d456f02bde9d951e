/** Prints the results of the checks in readable form. */

import type { Finding } from './lane.ts';

const LABELS = { ok: 'ok     ', failed: 'FAILED ', skipped: 'SKIPPED' } as const;

export function printFinding(finding: Finding): void {
  process.stdout.write(`${lineOf(finding)} (${finding.seconds.toFixed(1)} s)\n`);
  if (finding.detail) process.stdout.write(`${finding.detail.replaceAll(/^/gm, '        ')}\n`);
}

/**
 * Prints the totals. Repeats the lines of all checks that did not pass, because these lines have
 * scrolled off the screen.
 */
export function printSummary(findings: readonly Finding[], seconds: number): void {
  const count = (result: Finding['result']): number =>
    findings.filter((each) => each.result === result).length;
  const notOk = findings.filter(({ result }) => result !== 'ok').map(lineOf);
  const counts = `${count('ok')} ok, ${count('failed')} failed, ${count('skipped')} skipped`;
  const total = `${findings.length} checks in ${seconds.toFixed(0)} s: ${counts}`;
  process.stdout.write(`\n${[...notOk, total].join('\n')}\n`);
}

function lineOf({ client, transport, claim, result }: Finding): string {
  return `${LABELS[result]} ${client.padEnd(13)} ${transport.padEnd(5)} ${claim}`;
}
