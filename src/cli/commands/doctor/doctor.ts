/** Implements `holdfast doctor`. It checks everything that a backup depends on, and prints a fix for each problem. */

import { failedFinding, good } from '../../../base/finding.ts';
import type { Finding, Severity } from '../../../base/finding.ts';
import { defined } from '../../../base/defined.ts';
import { certificateWarning, readCertificate } from '../../../config/certificate.ts';
import type { Config } from '../../../config/config.ts';
import { ConfigError } from '../../../config/config-error.ts';
import type { Home } from '../../../config/home.ts';
import { loadConfig } from '../../../config/load.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import type { Paint, Tone } from '../../output/output.ts';
import { withHomeOption } from '../../../text/pasted-commands.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';
import { examineDaemon, examinePorts } from './examine-daemon.ts';
import { examineFormats } from './examine-formats.ts';
import { examineDisk, examineNode, examineWatches } from './examine-machine.ts';
import { examineFolders, examineHome, examineLocks } from './examine-places.ts';
import { examineService } from './examine-service.ts';

/** Runs all checks and prints the findings. Returns the exit code for the most severe finding. */
export async function doctor(context: Context): Promise<ExitCode> {
  return reportFindings(context, await examineAll(context));
}

/** Prints the findings. With `--json`, also prints `more`. Returns the exit code for the most severe finding. */
export async function reportFindings(
  context: Context,
  found: readonly Finding[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<ExitCode> {
  const findings = found.map((each) => ofHome(each, context.homeOption));
  const worst = worstOf(findings);
  if (context.json) await context.out.json({ findings, ...more });
  else await context.out.lines(...doctorLines(findings, context.out.paint));
  return worst === 'failed' ? EXIT.failed : worst === 'attention' ? EXIT.attention : EXIT.ok;
}

/** Adds `--home` to the Holdfast commands in the fix, so that they use the home folder of this command. */
function ofHome(finding: Finding, homeOption: string): Finding {
  const { fix } = finding;
  return fix === undefined ? finding : { ...finding, fix: withHomeOption(fix, homeOption) };
}

/** Returns the findings of all checks. Each check runs after the checks that it depends on. */
export async function examineAll(context: Context): Promise<readonly Finding[]> {
  const home = await context.home();
  const daemon = await examineDaemon(context, home);
  const early = [
    examineNode(),
    ...examineHome(home),
    ...(await examineFormats(home)),
    examineDisk(home),
    ...daemon.findings,
  ];
  const { config, findings } = await readConfig(home);
  if (!config) return [...early, ...findings, await examineService(context, daemon)];
  const { examineServices } = await import('../../../../daemon/doctor/examine-services.ts');
  const { credentials: local } = daemon;
  return [
    ...early,
    ...findings,
    ...jobFindings(config, daemon.runs),
    ...certificateFindings(config, home, context.io.clock.now()),
    ...(daemon.runs ? [] : await examinePorts(config)),
    ...examineFolders(config),
    ...examineLocks(config),
    ...examineWatches(config),
    ...(await examineServices(defined({ home, config, clock: context.io.clock, local }))),
    await examineService(context, daemon),
  ];
}

/** Returns a finding if no job is configured. A running daemon needs no job, because it may serve only the store. */
function jobFindings({ jobs }: Config, daemonRuns: boolean): Finding[] {
  if (jobs.length > 0 || daemonRuns) return [];
  return [
    { check: 'jobs', severity: 'note', message: 'no job is configured yet', fix: 'holdfast init' },
  ];
}

async function readConfig(
  home: Home,
): Promise<{ readonly config?: Config; readonly findings: readonly Finding[] }> {
  const check = 'config.yaml';
  try {
    const config = await loadConfig(home);
    const { jobs, targets } = config;
    const amounts = `${countText(jobs.length, 'job')}, ${countText(targets.length, 'target')}`;
    return { config, findings: [good(check, amounts)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: [failedFinding(check, error, 'holdfast config check')] };
  }
}

function certificateFindings({ storage }: Config, { configFile }: Home, now: number): Finding[] {
  if (storage.tls === undefined) return [];
  const check = 'certificate';
  try {
    const warning = certificateWarning(readCertificate(storage.tls, { configFile }), now);
    if (warning === undefined) return [good(check, storage.tls.certFile)];
    return [{ check, severity: 'attention', message: warning, fix: 'holdfast config reload' }];
  } catch (error) {
    return [failedFinding(check, error, 'holdfast config check')];
  }
}

const ORDER: readonly Severity[] = ['good', 'note', 'attention', 'failed'];

function worstOf(findings: readonly Finding[]): Severity {
  const worst = Math.max(0, ...findings.map(({ severity }) => ORDER.indexOf(severity)));
  return ORDER[worst] ?? 'good';
}

const SIGNS: Readonly<Record<Severity, readonly [sign: string, tone: Tone]>> = {
  good: ['ok', 'good'],
  note: ['note', 'dim'],
  attention: ['!', 'attention'],
  failed: ['FAILED', 'bad'],
};

function doctorLines(findings: readonly Finding[], paint: Paint): string[] {
  const lines = findings.flatMap(({ check, severity, message, fix }) => {
    const [sign, tone] = SIGNS[severity];
    const head = `${paint(tone, sign.padEnd(6))}  ${visible(check)}: ${visible(message)}`;
    return fix === undefined ? [head] : [head, `        $ ${visible(fix)}`];
  });
  const count = (severity: Severity) =>
    findings.filter((each) => each.severity === severity).length;
  const [failed, attention] = [count('failed'), count('attention')];
  const sum =
    failed + attention === 0
      ? 'in order'
      : `${countText(failed, 'failure')}, ${countText(attention, 'warning')}`;
  return [...lines, '', sum];
}
