/** The rows for problems that need attention, each with the key that handles the problem. */

import { onlyInBucketText } from '../../../src/control/job-standing.ts';
import type { JobStatus, Status } from '../../../src/control/shapes.ts';
import { countText } from '../../../src/text/amounts.ts';
import { attentionOf, heldReason, holdsChanges, isAcknowledged } from '../../data/attention.ts';
import type { Attention } from '../../data/attention.ts';
import type { Ui } from '../../ui/ui.ts';
import { TextBox } from '../../widgets/text-box.ts';
import { JobScreen } from '../jobs/job-screen.ts';
import { ReviewScreen } from '../jobs/review-screen.ts';
import { showWhy } from '../jobs/why.ts';
import { AlarmScreen } from '../metrics/alarm-screen.ts';
import { conditionText } from '../metrics/alarm-text.ts';

export interface AttentionRow {
  readonly id: string;
  /** The key that handles the problem in the selected row. Enter has the same effect. */
  readonly key: 'a' | 'w' | '4' | '6' | 'Enter';
  /** The job that has the problem. */
  readonly job?: string;
  /** A description of the problem. It must be escaped before it is drawn. */
  readonly text: string;
  /** Whether the row is an acknowledged alarm, which is listed but not counted. */
  readonly isKnown: boolean;
  readonly open: (ui: Ui) => void;
}

/** Returns the rows, unacknowledged problems first. Returns undefined until all problems are loaded. */
export function attentionRows(ui: Ui): readonly AttentionRow[] | undefined {
  const found = attentionOf(ui);
  const { current } = ui.status;
  if (!found || !current) return undefined;
  const ofJobs = current.jobs
    .flatMap((job) => jobRows(job, found))
    .toSorted((one, other) => URGENT.indexOf(one.key) - URGENT.indexOf(other.key));
  const known = new Set(ofJobs.map(({ job }) => job));
  const rows = [
    ...ofJobs,
    ...found.alerts.filter(({ job }) => !known.has(job)).map(alertRow),
    ...found.alarms.map(alarmRow),
    ...(found.problem === undefined ? [] : [reported('alerts', found.problem)]),
    ...current.store.reasons.map((reason) => reported('store', reason)),
    ...current.warnings.map((warning) => reported('daemon', warning)),
  ];
  return [...rows.filter(({ isKnown }) => !isKnown), ...rows.filter(({ isKnown }) => isKnown)];
}

/** The keys of the most urgent rows. Held changes may indicate an attack, but a conflict affects only one file. */
const URGENT: readonly AttentionRow['key'][] = ['a', 'w', '4'];

/**
 * Returns the reasons why a job needs the user, most urgent first. A risk gets a separate row unless another row states
 * the same reason.
 */
function jobRows(job: JobStatus, { alerts }: Attention): AttentionRow[] {
  const { name, counts, state, proof, protection } = job;
  const rows: AttentionRow[] = [];
  const add = (row: Pick<AttentionRow, 'key' | 'text' | 'open'>) =>
    rows.push({ id: `${row.key} ${name} ${rows.length}`, job: name, isKnown: false, ...row });
  if (holdsChanges(job)) {
    const alert = alerts.find((each) => each.job === name && each.kind === 'held');
    const text = alert?.reason ?? heldReason(job);
    add({ key: 'a', text, open: (ui) => ui.router.open(new ReviewScreen(ui, name)) });
  }
  if (counts.conflicts > 0) {
    const text = `${countText(counts.conflicts, 'conflict')} to resolve`;
    add({ key: '4', text, open: (ui) => ui.router.visit('conflicts') });
  }
  const open = (ui: Ui) => showWhy(ui, ui.status.job(name) ?? job);
  const failures = proof?.drillFailures ?? 0;
  if (failures > 0) {
    add({ key: 'w', text: `${countText(failures, 'file')} failed the last restore test`, open });
  }
  if (protection.is === 'at risk' && rows.length === 0) {
    add({ key: 'w', text: `at risk: ${protection.reason ?? state}`, open });
  }
  const only = onlyInBucketText([job], countText);
  if (only !== undefined) add({ key: 'w', text: only, open });
  return rows;
}

function alertRow({ job, kind, reason }: Attention['alerts'][number]): AttentionRow {
  const open = (ui: Ui) => ui.router.open(new JobScreen(ui, job));
  return { id: `alert ${job} ${kind}`, key: 'Enter', job, text: reason, isKnown: false, open };
}

function alarmRow(alarm: Status['alarms'][number]): AttentionRow {
  const text = `bucket ${alarm.bucket}: ${conditionText(alarm)}`;
  const open = (ui: Ui) => ui.router.open(new AlarmScreen(ui, alarm));
  return { id: `alarm ${alarm.name}`, key: '6', text, isKnown: isAcknowledged(alarm), open };
}

function reported(by: string, reason: string): AttentionRow {
  const text = `${by}: ${reason}`;
  const open = (ui: Ui) => ui.openOverlay(new TextBox(ui, by, [ui.look.name(reason)]));
  return { id: text, key: 'Enter', text, isKnown: false, open };
}
