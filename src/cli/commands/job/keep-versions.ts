/**
 * Implements `holdfast job keep`, which removes or counts the versions that the job's `keep` option does not retain.
 */

import type { Result } from '../../../control/messages.ts';
import { EXIT, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { visible } from '../../output/text.ts';
import { bytesText, countText } from '../../../text/amounts.ts';

type Report = Result<'jobs.keep'>;

/** Prunes versions and prints a report. Returns exit code 1 if the service failed to remove a version. */
export async function keepVersions(
  context: Context,
  name: string,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<ExitCode> {
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    return await context.withDaemon(async (daemon) => {
      const { signal } = interrupts;
      const report = await daemon.call('jobs.keep', { name, dryRun }, { signal });
      if (context.json) await context.out.jsonLine({ job: name, dryRun, ...report });
      else await context.out.lines(...reportLines(name, report, dryRun));
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
