/** Shows the health of the daemon, the file watchers, the store and the disk. */

import type { JobStatus, Status } from '../../../src/control/shapes.ts';
import type { Ui } from '../../ui/ui.ts';
import { bar, paintedBar } from '../../widgets/charts.ts';
import { facts } from '../../widgets/facts.ts';
import { durationText, shortDurationText } from '../../../src/text/time.ts';
import { bytesText, percentText } from '../../../src/text/amounts.ts';
import { wasText } from '../jobs/job-text.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { thresholdTone } from '../../theme/tones.ts';

/** The number of lines in the pane, without the frame. */
export const HEALTH_LINES = 5;
const BAR_CELLS = 10;
/**
 * The shares of used disk space at which the bar changes its colour. The store refuses writes
 * before the disk is full.
 */
const TIGHT_SHARE = 0.9;
const FILLING_SHARE = 0.75;
const DAY_MS = 86_400_000;
/** Above this uptime, the pane shows the uptime in minutes instead of "just started". */
const STARTED_MS = 100_000;

export function healthLines(ui: Ui, width: number): readonly string[] {
  const { look, status } = ui;
  const { current } = status;
  if (!current) return [look.paint('dim', ' not known yet')];
  const rows = [
    ['daemon', daemonText(current, ui)],
    ['watch', watchText(current.jobs, ui, width)],
    ['lag', lagText(current.jobs, look)],
    ['disk', diskText(current, look, width)],
    ['store', storeText(current, look)],
  ] as const;
  return facts(rows, look).map((line) => ` ${line}`);
}

function dotted(tone: Tone, text: string, look: Look): string {
  return `${look.paint(tone, look.glyphs.dot)} ${text}`;
}

function daemonText({ startedAt }: Status, { clock, link, look }: Ui): string {
  if (!link.isUp) return dotted('bad', 'down', look);
  const upMs = clock.now() - startedAt;
  // An uptime in seconds would cause a redraw at each update, even if nothing else has changed.
  if (upMs < STARTED_MS) return dotted('good', 'just started', look);
  return dotted('good', `up ${upMs < DAY_MS ? shortDurationText(upMs) : durationText(upMs)}`, look);
}

const WATCHING_ALL = 'watching 100 %';
/** The width of a pane in which `watch   ● 100 % watching` fits, with a space at its left. */
const WATCHING_WIDTH = 25;

/** Returns whether the file watchers cover all folders, or how many jobs they cover. */
function watchText(jobs: readonly JobStatus[], ui: Ui, width: number): string {
  const { look } = ui;
  if (jobs.length === 0) return look.paint('dim', 'no jobs');
  const others = jobs.filter(({ watch }) => watch !== WATCHING_ALL);
  const [first] = others;
  if (!first && !ui.link.isUp) return dotted('attention', 'was watching', look);
  if (!first) return dotted('good', width < WATCHING_WIDTH ? '100 %' : '100 % watching', look);
  const complete = jobs.length - others.length;
  const text = jobs.length === 1 ? first.watch : `${complete} of ${jobs.length} jobs`;
  return dotted('attention', look.name(wasText(text, ui)), look);
}

function lagText(jobs: readonly JobStatus[], look: Look): string {
  const lag = Math.max(0, ...jobs.map(({ lagMs }) => lagMs));
  return lag === 0 ? look.paint('good', 'none') : shortDurationText(lag);
}

function diskText({ disk }: Status, look: Look, width: number): string {
  if (!disk || disk.sizeBytes === 0) return '';
  const used = 1 - disk.freeBytes / disk.sizeBytes;
  const tone = thresholdTone(used, { attention: FILLING_SHARE, bad: TIGHT_SHARE });
  const free = width >= 40 ? `  ${bytesText(disk.freeBytes)} free` : '';
  const full = paintedBar(bar(used, BAR_CELLS, look), tone, look);
  return `${full} ${percentText(used)}${free}`;
}

function storeText({ store }: Status, look: Look): string {
  const tone = store.state === 'in order' ? 'good' : 'bad';
  return dotted(tone, store.state, look);
}
