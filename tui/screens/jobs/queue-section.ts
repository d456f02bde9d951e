/** Lists a job's pending changes in pages, each with the reason why it is pending. The user can filter by reason. */

import { defined } from '../../../src/base/defined.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { Copyable } from '../../ui/screen.ts';
import type { Ui } from '../../ui/ui.ts';
import { exactly, tabText } from '../../widgets/layout.ts';
import { listWidth } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { Foot } from '../../widgets/panes.ts';
import { listFoot, tableLines } from '../../widgets/table.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { TextBox } from '../../widgets/text-box.ts';
import { PagedRows } from '../../data/paged-rows.ts';
import { Polling } from '../../data/polling.ts';
import { numberText } from '../../../src/text/amounts.ts';
import { minuteText } from '../../../src/text/time.ts';
import { widthOf } from '../../text/width.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { ReviewScreen } from './review-screen.ts';
import type { Section } from './section.ts';

type Queue = Result<'jobs.queue'>;
type QueueRow = Queue['rows'][number];
type Reason = QueueRow['reason'];

const REASONS = ['error', 'conflict', 'held', 'drifted', 'busy', 'waiting', 'retained'] as const;
const TONES: Readonly<Record<Reason, Tone>> = {
  error: 'bad',
  conflict: 'attention',
  held: 'attention',
  drifted: 'attention',
  busy: 'plain',
  waiting: 'plain',
  retained: 'dim',
};
const FURTHER = '  f next reason';
const PAGE = 1_000;
/**
 * The interval for reloading the queue's counts, because no event reports changes to the queue. The request is cheap
 * and does not make rows shift.
 */
const AGAIN_MS = 2_000;

const COLUMNS: readonly Column<QueueRow>[] = [
  { title: 'REASON', width: 8, cell: ({ reason }) => reason, tone: ({ reason }) => TONES[reason] },
  {
    title: 'PATH',
    width: 'grow',
    least: 28,
    cut: 'middle',
    cell: ({ path }, look) => look.name(path),
  },
  {
    title: 'WHY',
    width: 'fit',
    least: 30,
    most: 200,
    cell: ({ detail }, look) => look.name(detail),
  },
  {
    title: 'UNTIL',
    tone: 'date',
    width: 16,
    drop: 1,
    cell: ({ until }, look) => (until === undefined ? look.glyphs.none : minuteText(until)),
  },
];

export class QueueSection implements Section {
  readonly list: ListModel<QueueRow>;
  readonly #ui: Ui;
  readonly #job: string;
  readonly #rows: PagedRows<QueueRow, string>;
  readonly #polling: Polling;
  #reason: Reason | undefined;
  #counts: Queue['counts'] | undefined;

  constructor(ui: Ui, job: string) {
    this.#ui = ui;
    this.#job = job;
    this.list = new ListModel<QueueRow>({ changes: ui.changes });
    this.#rows = new PagedRows<QueueRow, string>({
      fetch: (after, signal) => this.#fetch(after, PAGE, signal),
      id: ({ reason, path }) => `${reason} ${path}`,
      text: ({ reason, path, detail }) => `${reason} ${path} ${detail}`,
      changed: () => this.list.show(this.#rows),
    });
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => AGAIN_MS,
      read: (signal) => this.#refresh(signal),
      changed: () => ui.changes.soon(),
    });
  }

  get title(): string {
    if (!this.#counts) return 'Queue';
    const counts = this.#counts;
    return `Queue ${numberText(REASONS.reduce((sum, reason) => sum + counts[reason], 0))}`;
  }

  get path(): string | undefined {
    return this.list.current?.path;
  }

  show(): void {
    this.#polling.start();
  }

  hide(): void {
    this.#polling.stop();
    this.#rows.stop();
  }

  /** Selects the next reason that has rows. After the last reason, selects all reasons. */
  nextReason(): void {
    const has = (reason: Reason) => (this.#counts?.[reason] ?? 0) > 0;
    const from = this.#reason === undefined ? 0 : REASONS.indexOf(this.#reason) + 1;
    this.#reason = REASONS.slice(from).find(has);
    void this.#rows.reload();
  }

  /**
   * Opens the screen on which the user can decide about the change. Without such a screen, shows the row's full
   * text.
   */
  open(): void {
    const { current } = this.list;
    if (!current) return;
    const { reason, path, detail } = current;
    if (reason === 'held') return this.#ui.router.open(new ReviewScreen(this.#ui, this.#job));
    if (reason === 'conflict') return this.#ui.router.visit('conflicts');
    const job = this.#ui.status.job(this.#job);
    if (reason === 'drifted' && job) {
      const { target, bucket, prefix } = job;
      const place = { target, bucket, key: prefix + path };
      return this.#ui.openVersions(place);
    }
    const { look } = this.#ui;
    this.#ui.openOverlay(new TextBox(this.#ui, reason, [look.name(path), '', look.name(detail)]));
  }

  async loadAll(signal: AbortSignal): Promise<void> {
    await this.#rows.loadAll(() => this.#ui.changes.soon(), signal);
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    if (!current) return [];
    return [
      { name: 'path', text: current.path },
      { name: 'why', text: current.detail },
    ];
  }

  foot(look: Look): Foot {
    return listFoot(this.list, look);
  }

  neededWidth(height: number, look: Look): number {
    return listWidth(this.list, COLUMNS, height, look);
  }

  draw(width: number, height: number, look: Look): readonly string[] {
    const table = {
      columns: COLUMNS,
      width,
      height: Math.max(2, height - 1),
      empty: this.#empty,
    };
    return [this.#countsLine(width, look), ...tableLines(this.list, table, look)];
  }

  /**
   * Returns the counts by reason, such as `all 128  error 2  conflict 1 …  f next`, with the selected reason marked. If
   * the line is too long, reasons without rows are omitted.
   */
  #countsLine(width: number, look: Look): string {
    const some = REASONS.filter((reason) => {
      return reason === this.#reason || (this.#counts?.[reason] ?? 0) > 0;
    });
    const room = width - FURTHER.length;
    const full = this.#countsOf(REASONS, look);
    const line = widthOf(full) <= room ? full : this.#countsOf(some, look);
    return widthOf(line) <= room ? line + look.paint('dim', FURTHER) : exactly(line, width, look);
  }

  #countsOf(reasons: readonly Reason[], look: Look): string {
    const words = reasons.map((reason) => {
      const count = this.#counts?.[reason] ?? 0;
      const text = `${reason} ${numberText(count)}`;
      if (reason === this.#reason) return tabText(text, true, look);
      return count === 0 ? look.paint('dim', text) : look.paint(TONES[reason], text);
    });
    const all = this.#reason === undefined ? tabText('all', true, look) : 'all';
    return `  ${[all, ...words].join('  ')}`;
  }

  get #empty(): string {
    if (!this.#counts) return this.#ui.link.unreadText;
    return this.#reason === undefined ? 'the queue is empty' : `nothing is ${this.#reason}`;
  }

  /**
   * Reloads the list automatically only if it fits on one page. In a longer list, rows would shift while the user
   * reads.
   */
  async #refresh(signal: AbortSignal): Promise<void> {
    const isShort = !this.#rows.more && this.#rows.count <= PAGE;
    const isFirst = this.#rows.count === 0;
    if (isFirst || isShort) return this.#rows.reload();
    await this.#fetch(undefined, 1, signal);
  }

  async #fetch(after: string | undefined, limit: number, signal: AbortSignal) {
    const request = { name: this.#job, limit, ...defined({ reason: this.#reason, after }) };
    const { rows, counts, next } = await this.#ui.call('jobs.queue', request, { signal });
    this.#counts = counts;
    return { rows, next };
  }
}
