/**
 * Prunes the versions that a job's `keep` rule does not retain. The user sees their number first and must type the
 * job's name.
 */

import type { Result } from '../../../src/control/messages.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Ui } from '../../ui/ui.ts';
import type { AskingAction, Question } from '../../commands/command.ts';
import { bytesText, countText } from '../../../src/text/amounts.ts';

type Report = Result<'jobs.keep'>;

export function keepAction(ui: Ui, current: () => JobStatus | undefined): AskingAction {
  /** The name of the job for which the latest count found versions to prune. */
  let counted: string | undefined;
  const ask = async (): Promise<Question | undefined> => {
    counted = undefined;
    const name = current()?.name;
    if (name === undefined) return undefined;
    const report = await keep(ui, name, true);
    if (report.versions + report.markers === 0) {
      ui.notify(
        [`${name} has no version that its keep rules would remove`, ...leftTexts(report)].join(
          '; ',
        ),
      );
      return undefined;
    }
    counted = name;
    return keepQuestion(name, report);
  };
  return {
    why: () => (current() ? undefined : 'no job is chosen'),
    ask,
    run: async () => {
      if (counted === undefined) return;
      const report = await keep(ui, counted, false);
      const { versions, bytes, failed, failure = 'the service did not say why' } = report;
      ui.notify(`${counted}: ${countText(versions, 'version')} removed, ${bytesText(bytes)} freed`);
      if (failed > 0) ui.warn(`${countText(failed, 'version')} could not be removed: ${failure}`);
    },
  };
}

function keep(ui: Ui, name: string, dryRun: boolean): Promise<Report> {
  const title = dryRun ? `counting versions of ${name}` : `removing versions of ${name}`;
  return ui.work(title, ({ abort }) =>
    ui.call('jobs.keep', { name, dryRun }, { signal: abort.signal }),
  );
}

function keepQuestion(name: string, report: Report): Question {
  const { versions, markers, bytes } = report;
  const withMarkers = markers > 0 ? ` and ${countText(markers, 'delete marker')}` : '';
  return {
    title: `Remove old versions of ${name}?`,
    facts: [
      `${countText(versions, 'version')}${withMarkers} are older than the keep rules allow: frees ${bytesText(bytes)}.`,
      'Removed versions cannot be restored.',
      ...leftTexts(report).map((text) => `${text}.`),
    ],
    type: name,
  };
}

function leftTexts({ retained, needed, others }: Report): string[] {
  const left: readonly (readonly [number, string])[] = [
    [retained, 'stay until their lock ends'],
    [needed, 'stay for conflicts and held changes'],
    [others, 'stay: another tool wrote them'],
  ];
  return left.flatMap(([count, why]) =>
    count > 0 ? [`${countText(count, 'version')} ${why}`] : [],
  );
}
