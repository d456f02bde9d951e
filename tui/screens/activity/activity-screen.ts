/** Shows the activity of the jobs as it happens. */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { TextBox } from '../../widgets/text-box.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { Activity } from '../../data/activity-log.ts';
import { recentText, timeText } from '../../../src/text/time.ts';
import { openExport } from './export.ts';
import { widthOf } from '../../text/width.ts';
import type { Look, Tone } from '../../theme/look.ts';

const LEVELS = ['info', 'warn', 'error'] as const;
const LEVEL_TONES: Readonly<Record<Activity['level'], Tone>> = {
  info: 'plain',
  warn: 'attention',
  error: 'bad',
};

/** The signs before the rows. They show the level even if the level column is omitted. */
const LEVEL_SIGNS: Readonly<Record<Activity['level'], string | undefined>> = {
  info: undefined,
  warn: '~',
  error: '!',
};

/**
 * Returns the columns. If all rows have the same job, a narrow list omits the job column first. Otherwise the job
 * column is always shown.
 */
const columnsAt = (now: number, hasOneJob: boolean): readonly Column<Activity>[] => [
  { title: 'TIME', tone: 'date', width: 8, cell: ({ at }) => recentText(at, now) },
  {
    title: 'JOB',
    width: 'fit',
    cut: 'middle',
    cell: ({ job }, look) => look.name(job),
    ...(hasOneJob ? { drop: 3 } : {}),
  },
  { title: 'LEVEL', width: 5, drop: 2, cell: ({ level }) => level, tone: toneOf },
  { title: 'ACTION', width: 'fit', cell: ({ action }, look) => look.name(action) },
  { title: 'WHAT', width: 'grow', whole: 48, cell: whatCell, tone: toneOf },
];

const NOTHING = 'no activity yet';

export class ActivityScreen implements Screen {
  readonly scope = 'activity';
  readonly crumbs = ['activity'];
  readonly list: ListModel<Activity>;
  readonly #ui: Ui;
  #follows = true;
  #least: Activity['level'] = 'info';
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.list = new ListModel<Activity>({ changes: ui.changes });
  }

  readonly actions: ActionsFor<'activity'> = {
    'activity.follow': { run: () => this.#follow() },
    'activity.level': { run: () => this.#nextLevel() },
    'activity.previousError': { why: () => this.#whyNoError, run: () => this.#toError(-1) },
    'activity.nextError': { why: () => this.#whyNoError, run: () => this.#toError(1) },
    'activity.export': {
      why: () => (this.list.rows.count === 0 ? NOTHING : undefined),
      run: () => openExport(this.#ui, this.#shown()),
    },
  };

  /**
   * Whether the list follows new entries. When the user scrolls up, following stops, so that rows do not shift. It
   * resumes when the user returns to the last row.
   */
  get #isFollowing(): boolean {
    return this.#follows && this.list.cursor >= this.list.rows.count - 1;
  }

  get #whyNoError(): string | undefined {
    const hasError = this.#ui.activity.entries.some(({ level }) => level === 'error');
    return hasError ? undefined : 'no error yet';
  }

  get note(): string {
    return `${this.#isFollowing ? 'following' : 'not following'}   level ${this.#least} and above`;
  }

  show(): void {
    this.hide();
    this.#stopListening = this.#ui.activity.onChange(() => this.#ui.changes.soon(this.#take));
    this.#take();
  }

  hide(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** Shows the whole entry, because a message may be longer than its row. */
  open(): void {
    const { current } = this.list;
    if (!current) return;
    const { at, job, level, action, path, message } = current;
    const { look } = this.#ui;
    const lines = [
      `time     ${timeText(at)}`,
      `job      ${look.name(job)}`,
      `level    ${level}`,
      `action   ${look.name(action)}`,
      ...(path === undefined ? [] : [`path     ${look.name(path)}`]),
      '',
      look.name(message),
    ];
    this.#ui.openOverlay(new TextBox(this.#ui, 'Activity', lines));
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    if (!current) return [];
    return [
      { name: 'message', text: whatOf(current) },
      { name: 'JSON', text: JSON.stringify(current) },
    ];
  }

  draw(area: Area, look: Look): readonly string[] {
    const { entries } = this.#ui.activity;
    const table = {
      columns: columnsAt(this.#ui.clock.now(), new Set(entries.map(({ job }) => job)).size < 2),
      empty: NOTHING,
      sign: ({ level }: Activity) => LEVEL_SIGNS[level],
    };
    return framedList(area, { list: this.list, title: 'Activity', table }, look);
  }

  /** Updates the list with the current entries. */
  readonly #take = (): void => {
    const wasAtEnd = this.list.cursor >= this.list.rows.count - 1;
    const { entries } = this.#ui.activity;
    const least = LEVELS.indexOf(this.#least);
    const rows = entries.filter(({ level }) => LEVELS.indexOf(level) >= least);
    this.list.showAll(
      rows,
      ({ seq }) => String(seq),
      (row) => `${row.job} ${row.action} ${whatOf(row)}`,
    );
    if (this.#follows && wasAtEnd) this.list.moveToLast();
  };

  /** Returns the entries that match the selected level and the filter. */
  #shown(): readonly Activity[] {
    const { rows } = this.list;
    const all = Array.from({ length: rows.count }, (_, index) => rows.row(index));
    return all.filter((row) => row !== undefined);
  }

  #follow(): void {
    this.#follows = !this.#isFollowing;
    if (this.#follows) this.list.moveToLast();
  }

  #nextLevel(): void {
    this.#least = LEVELS[(LEVELS.indexOf(this.#least) + 1) % LEVELS.length] ?? 'info';
    this.#take();
  }

  #toError(step: 1 | -1): void {
    const { rows, cursor } = this.list;
    for (let index = cursor + step; index >= 0 && index < rows.count; index += step) {
      if (rows.row(index)?.level !== 'error') continue;
      this.#follows = false;
      return this.list.moveTo(index);
    }
    this.#ui.warn(step > 0 ? 'no error after this one' : 'no error before this one');
  }
}

/** Truncates a path in its middle, and a reason at its end. */
function whatCell(activity: Activity, look: Look, width: number): string {
  const { path, message } = activity;
  if (isInMessage(activity)) return look.cut(look.name(message), width, 'middle');
  const reason = look.name(message);
  const room = Math.max(Math.floor(width / 2), width - widthOf(reason) - 2);
  return `${look.cut(look.name(path ?? ''), room, 'middle')}  ${reason}`;
}

function isInMessage({ path, message }: Activity): boolean {
  return path === undefined || message.includes(path);
}

function whatOf(activity: Activity): string {
  const { path, message } = activity;
  return isInMessage(activity) ? message : `${path}  ${message}`;
}

function toneOf({ level }: Activity): Tone {
  return LEVEL_TONES[level];
}
