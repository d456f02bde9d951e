/**
 * Implements `holdfast job keep`. It removes or counts the versions that the job's `keep` option does not retain, and
 * previews other rules.
 */

import { DAY_MS } from '../../../base/durations.ts';
import type { Result } from '../../../control/messages.ts';
import { EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { tableLines } from '../../output/output.ts';
import { shellWord, visible } from '../../output/text.ts';
import { bytesText, countText, numberText } from '../../../text/amounts.ts';
import { durationText } from '../../../text/time.ts';

type Report = Result<'jobs.keep'>;

export interface KeepOptions {
  readonly dryRun?: boolean;
  readonly preview?: boolean;
}

/** Prunes versions and prints a report. Returns exit code 1 if the service failed to remove a version. */
export async function keepVersions(
  context: Context,
  name: string,
  { dryRun = false, preview = false }: KeepOptions,
): Promise<ExitCode> {
  if (preview) return previewRules(context, name);
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    return await context.withDaemon(async (daemon) => {
      const { signal } = interrupts;
      const report = await daemon.call('jobs.keep', { name, dryRun }, { signal });
      if (context.json) await context.out.json({ job: name, dryRun, ...report });
      else await context.out.prose(...reportLines(name, report, dryRun));
      return report.failed > 0 ? EXIT.failed : EXIT.ok;
    });
  } finally {
    interrupts.release();
  }
}

function reportLines(name: string, report: Report, dryRun: boolean): string[] {
  const { versions, bytes, markers, retained, needed, others, undated, failed, failure } = report;
  const verb = dryRun ? 'would be removed' : 'removed';
  const withMarkers = markers > 0 ? ` and ${countText(markers, 'delete marker')}` : '';
  const line = (count: number, why: string) =>
    count > 0 ? [`  ${countText(count, 'version')} ${why}`] : [];
  return [
    `${name}: ${countText(versions, 'version')}${withMarkers} ${verb}, ${bytesText(bytes)} freed`,
    ...line(retained, 'kept until a lock ends: holdfast lock list'),
    ...line(needed, 'kept for open decisions: holdfast conflict list, holdfast job review'),
    ...line(others, 'kept, because another tool wrote them'),
    ...line(
      undated,
      'kept: the service changes dates, and their recorded times are missing or not proven by the key of this job',
    ),
    ...line(failed, `could not be removed: ${visible(failure ?? 'the service gave no reason')}`),
  ];
}

/** The minimum age of the oldest version for a meaningful preview. Every rule keeps all recent versions. */
const SHORT_HISTORY_MS = 30 * DAY_MS;

/** Prints how many versions in the bucket the job's rule and some alternative rules would remove. */
async function previewRules(context: Context, name: string): Promise<ExitCode> {
  const [ruleNames, preview] = await context.withDaemon(async (daemon) => {
    const { settings } = await daemon.call('jobs.get', { name });
    const { keepShape, PREVIEWED_RULES } = await import('../../../config/keep.ts');
    const { keep } = settings;
    const own = keep === undefined ? {} : { 'the rule of this job': keep };
    const written = { ...own, ...PREVIEWED_RULES };
    const rules = Object.values(written).map((each) => keepShape.parse(each));
    return [Object.keys(written), await daemon.call('jobs.keep.preview', { name, rules })] as const;
  });
  const { versions, bytes, oldestAt } = preview;
  const found = preview.rules.map((each, index) => ({ rule: ruleNames[index] ?? '', ...each }));
  if (context.json) {
    await context.out.json({ job: name, ...preview, rules: found });
    return EXIT.ok;
  }
  const ageMs = oldestAt === undefined ? 0 : Math.max(0, context.io.clock.now() - oldestAt);
  const columns = ['KEEP', 'VERSIONS', 'FREED'].map((title, index) =>
    index === 0 ? { title } : { title, align: 'right' as const },
  );
  const rows = found.map((each) => [each.rule, numberText(each.versions), bytesText(each.bytes)]);
  await context.out.prose(
    `${name}: ${countText(versions, 'version')}, ${bytesText(bytes)}, in ${durationText(ageMs)}`,
    'Each rule would remove, apart from locked versions:',
    ...tableLines(columns, rows),
    ...(ageMs < SHORT_HISTORY_MS
      ? ['This history is too short to compare the rules: they remove only older versions.']
      : []),
    `to set a rule: holdfast job edit ${shellWord(name)} keep=smart`,
  );
  return EXIT.ok;
}
