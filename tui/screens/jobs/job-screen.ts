/**
 * The screen of one job. It shows the job's state and, in tabs, its transfers, queue, locks, sync rounds and details.
 */

import { paintedBar } from '../../widgets/charts.ts';
import { exceptionsOf, standingText } from '../../../src/control/job-standing.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ends, tabText } from '../../widgets/layout.ts';
import { framed } from '../../widgets/panes.ts';
import type { Pane } from '../../widgets/panes.ts';
import { LEAST_DETAIL, WIDE_COLUMNS } from '../../widgets/list-detail.ts';
import type { Movable } from '../../widgets/list-model.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { bytesText, countText } from '../../../src/text/amounts.ts';
import { widthOf, wrap } from '../../text/width.ts';
import type { Look } from '../../theme/look.ts';
import { AboutSection } from './about-section.ts';
import { firstScanText, progressBar, progressWords } from './columns.ts';
import { jobActions } from './job-actions.ts';
import { jobFactLines } from './job-facts.ts';
import { routeText, stateTone } from './job-text.ts';
import { jobCopyables } from './jobs-list.ts';
import { LocksSection } from './locks-section.ts';
import { MovingSection } from './moving-section.ts';
import { QueueSection } from './queue-section.ts';
import { RoundsSection } from './rounds-section.ts';
import type { Section } from './section.ts';
import { askWhyPath } from './why.ts';

/** The maximum share of the screen's width for the job's details beside a list. */
const FACTS_SHARE = 0.4;
const MOVING_COLUMNS = 48;
const MOST_REASON_LINES = 3;

export class JobScreen implements Screen {
  readonly scope = 'job';
  readonly crumbs: readonly string[];
  readonly actions: ActionsFor<'job'>;
  readonly #ui: Ui;
  readonly #name: string;
  readonly #moving: MovingSection;
  readonly #queue: QueueSection;
  readonly #about: AboutSection;
  readonly #sections: readonly Section[];
  #section: Section;

  constructor(ui: Ui, name: string) {
    this.#ui = ui;
    this.#name = name;
    this.crumbs = ['jobs', name];
    this.#moving = new MovingSection(ui, name);
    this.#queue = new QueueSection(ui, name);
    const rounds = new RoundsSection(ui, name);
    this.#about = new AboutSection(ui, name);
    const locks = new LocksSection(ui, name);
    this.#sections = [this.#moving, this.#queue, locks, rounds, this.#about];
    this.#section = ui.transfers.countOf(name) > 0 ? this.#moving : this.#queue;
    const current = () => this.#job;
    this.actions = {
      ...jobActions(ui, { current, all: () => (this.#job ? [this.#job] : []) }),
      'job.whyPath': {
        why: () => (this.#job ? undefined : 'the job does not exist'),
        run: () => this.#job && askWhyPath(ui, this.#job, this.#section.path),
      },
      'job.queueReason': { run: () => this.#nextReason() },
    };
  }

  get list(): Movable {
    return this.#section.list;
  }

  get note(): string {
    const { look } = this.#ui;
    return this.#job
      ? look.paint(stateTone(this.#job), standingText(this.#job, countText))
      : 'removed';
  }

  show(): void {
    this.#moving.show();
    this.#section.show();
  }

  hide(): void {
    this.#moving.hide();
    this.#section.hide();
  }

  open(): void {
    this.#section.open?.();
  }

  nextPane(step: 1 | -1): void {
    const { length } = this.#sections;
    const next = (this.#sections.indexOf(this.#section) + step + length) % length;
    this.#choose(this.#sections[next] ?? this.#section);
  }

  async loadAll(signal: AbortSignal): Promise<void> {
    await this.#section.loadAll?.(signal);
  }

  copyables(): readonly Copyable[] {
    return [...this.#section.copyables(), ...jobCopyables(this.#job)];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const job = this.#job;
    if (!job) return ['', `  job ${look.name(this.#name)} was removed; Esc goes back`];
    const head = headLines(job, this.#ui, columns);
    const height = rows - head.length - 1;
    const room = columns - this.#section.neededWidth(height, look);
    const width = this.#factsWidth(columns, room);
    const about = {
      title: 'About',
      width,
      draw: (area: Area) => jobFactLines(job, this.#ui, area.columns - 2).map((line) => ` ${line}`),
    };
    const hasMoving = this.#section !== this.#moving && room >= width + MOVING_COLUMNS + 2;
    const moving = width > 0 && hasMoving ? [this.#movingPane(look)] : [];
    const known = width > 0 ? [about] : [];
    const taken = width + moving.length * MOVING_COLUMNS;
    const panes = [this.#sectionPane(columns - taken, look), ...moving, ...known];
    return [...head, this.#sectionTabs(columns, look), ...framed([{ height, panes }], look)];
  }

  /**
   * Returns the width of the details pane, or 0 if the pane is not shown. `room` is the number of cells that the list
   * does not need.
   */
  #factsWidth(columns: number, room: number): number {
    const hasRoom = columns >= WIDE_COLUMNS && room > LEAST_DETAIL;
    if (!hasRoom || this.#section === this.#about) return 0;
    return Math.min(room - 1, Math.max(LEAST_DETAIL, Math.floor(columns * FACTS_SHARE)));
  }

  get #job(): JobStatus | undefined {
    return this.#ui.status.job(this.#name);
  }

  #choose(section: Section): void {
    this.#section.hide();
    this.#section = section;
    this.#moving.show();
    section.show();
    this.#ui.changes.now();
  }

  #nextReason(): void {
    if (this.#section === this.#queue) this.#queue.nextReason();
    else this.#choose(this.#queue);
  }

  #movingPane(look: Look): Pane {
    const draw = ({ columns, rows }: Area) => this.#moving.draw(columns, rows, look);
    return { title: this.#moving.title, width: MOVING_COLUMNS, draw };
  }

  #sectionPane(width: number, look: Look): Pane {
    const section = this.#section;
    const draw = ({ columns, rows }: Area) => section.draw(columns, rows, look);
    return { title: '', foot: section.foot(look), width, focused: true, draw };
  }

  #sectionTabs(width: number, look: Look): string {
    const tabs = (titleOf: (section: Section) => string) => {
      const texts = this.#sections.map((section) => {
        const isActive = section === this.#section;
        return tabText(isActive ? section.title : titleOf(section), isActive, look);
      });
      return ` ${texts.join(' ')}`;
    };
    const key = look.paint('dim', 'Tab ');
    const full = tabs(({ title }) => title);
    const fits = widthOf(full) + widthOf(key) < width;
    // In a narrow terminal, only the active tab shows its number of rows.
    return ends(fits ? full : tabs(({ title }) => title.split(' ')[0] ?? ''), key, width, look);
  }
}

/**
 * Returns the lines above the tabs: the progress (`██████░░░░ 62 %  31 MB/s  ETA 14 s   48,213 files, 1.24 TB`), the
 * folder and destination, and the reason if the job has stopped.
 */
function headLines(job: JobStatus, ui: Ui, columns: number): string[] {
  const { look, transfers } = ui;
  const progress = transfers.progressOf(job);
  const scan = firstScanText(job, ui);
  const bar = paintedBar(progressBar(job, progress, look), stateTone(job), look);
  const words = [
    ...(scan === undefined ? [bar, ...progressWords(job, progress)] : [scan]),
    // In the state `watching`, the note above already names the exceptions, such as conflicts.
    ...(job.state === 'watching' ? [] : exceptionsOf(job, countText)).map((text) =>
      look.paint('attention', text),
    ),
  ];
  const { files, bytes } = job.counts;
  const amount = `${countText(files, 'file')}, ${bytesText(bytes)} `;
  const reason =
    job.reason === undefined
      ? []
      : wrap(look.name(job.reason), columns - 2)
          .slice(0, MOST_REASON_LINES)
          .map((line) => look.paint(stateTone(job), ` ${line}`));
  return [
    ends(` ${words.join('  ')}`, amount, columns, look),
    ` ${look.cut(routeText(job, ui), columns - 2, 'middle')}`,
    ...reason,
  ];
}
