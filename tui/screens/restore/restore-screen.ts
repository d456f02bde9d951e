/** Browses a job's folder at any point in time, and restores files from this time. */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { clamp } from '../../widgets/window.ts';
import { PromptOverlay } from '../../widgets/prompt.ts';
import { listAndDetail, WIDE_COLUMNS } from '../../widgets/list-detail.ts';
import { about } from '../../commands/about.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { whenUp } from '../../data/when-up.ts';
import { DAY_MS, HOUR_MS } from '../../../src/base/durations.ts';
import { readViewTime, timeText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { countsText, folderColumns, STANDING_SIGNS, standingTone } from './columns.ts';
import { openFileDiff } from './compare-file.ts';
import { EntryContent } from './entry-content.ts';
import type { EntrySubject } from './entry-content.ts';
import { DETAIL_LINES, entryLines } from './entry-detail.ts';
import { TimesScreen } from './times-screen.ts';
import type { FolderRow } from './folder-data.ts';
import type { Differences } from './entry-sums.ts';
import { FolderModel } from './folder-model.ts';
import type { Subject } from './subject.ts';
import { openRestoreForm } from './restore-form.ts';
import { RunsScreen } from './runs-screen.ts';
import { absoluteOf, nameOf } from './subject.ts';
import { parentOf } from '../../data/place.ts';
import { STRIP_SPANS, stripLines } from './time-strip.ts';
import { widthOf } from '../../text/width.ts';
import { earlier, headingText, later } from './time-travel.ts';
import type { At } from './time-travel.ts';
import { askUndo, undo } from './undo.ts';

export class RestoreScreen implements Screen {
  readonly scope = 'restore';
  readonly list: ListModel<FolderRow>;
  readonly #ui: Ui;
  readonly #folder: FolderModel;
  readonly #content: EntryContent;
  /**
   * The path that the screen opened first. At this path, Esc leaves the screen instead of opening
   * the parent folder.
   */
  readonly #start: string;
  #stops: readonly (() => void)[] = [];
  /** The index of the selected time span in STRIP_SPANS. */
  #span = 0;

  constructor(ui: Ui, subject: Subject, at?: number) {
    this.#ui = ui;
    this.#start = subject.path;
    this.list = new ListModel<FolderRow>({ changes: ui.changes });
    this.#content = new EntryContent(ui, subject.job);
    this.#folder = new FolderModel(ui, subject, at, (rows, cursorAt) => {
      this.#show(rows);
      if (cursorAt !== undefined) this.list.moveToId(cursorAt);
      this.#lookBelow();
    });
  }

  readonly actions: ActionsFor<'restore'> = {
    'restore.earlier': { run: (count = 1) => this.#folder.step(earlier, count) },
    'restore.later': {
      why: () => (this.#folder.at === undefined ? 'this is the latest time' : undefined),
      run: (count = 1) => this.#folder.step(later, count),
    },
    'restore.hourEarlier': { run: (count = 1) => this.#folder.shift(-count * HOUR_MS) },
    'restore.hourLater': { run: (count = 1) => this.#folder.shift(count * HOUR_MS) },
    'restore.dayEarlier': { run: (count = 1) => this.#folder.shift(-count * DAY_MS) },
    'restore.dayLater': { run: (count = 1) => this.#folder.shift(count * DAY_MS) },
    'restore.zoomIn': { run: () => this.#zoom(1) },
    'restore.zoomOut': { run: () => this.#zoom(-1) },
    'restore.time': { run: () => this.#askTime() },
    'restore.now': { run: () => this.#goTo(undefined) },
    'restore.restore': { why: () => this.#whyNot(), run: () => this.#restore(this.#there) },
    'restore.folder': { run: () => this.#restore([{ path: this.#folder.path, isFolder: true }]) },
    'restore.diff': { why: () => this.#whyNoDiff(), run: () => this.#diff() },
    'restore.compare': { run: () => this.#askOther() },
    'restore.undo': about(
      () => this.#undoable(),
      () => 'nothing is chosen',
      {
        why: () => this.#whyNoUndo(),
        ask: ({ subject, at }) => askUndo(this.#ui, subject, { at }),
        run: ({ subject, at }) => undo(this.#ui, subject, { at }),
      },
    ),
    'restore.versions': { why: () => this.#whyNoFile(), run: () => this.#versions() },
    'restore.runs': { run: () => this.#ui.router.open(new RunsScreen(this.#ui)) },
  };

  get crumbs(): readonly string[] {
    const { job, path } = this.#folder;
    return ['restore', job.name, ...(path === '' ? [] : [path])];
  }

  get note(): string {
    const { at } = this.#folder;
    return at === undefined ? 'now' : timeText(at);
  }

  show(): void {
    this.hide();
    const { changes, link } = this.#ui;
    this.#stops = [
      changes.subscribe(() => this.#lookBelow()),
      whenUp(link, () => this.#folder.refresh()),
    ];
  }

  hide(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#folder.stop();
    this.#content.stop();
  }

  seen(): void {
    this.#content.follow(this.#selected);
  }

  get #selected(): EntrySubject | undefined {
    const { current: row } = this.list;
    return row && { row, at: this.#folder.at, sums: this.#folder.sumsOf(row) };
  }

  open(): void {
    const { current } = this.list;
    if (current?.isFolder) this.#enter(current.path);
    else if (current && this.#whyNoDiff() === undefined) this.#diff();
    else this.#versions();
  }

  back(): boolean {
    const from = this.#folder.path;
    if (from === this.#start) return false;
    this.#enter(parentOf(from), from);
    return true;
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    if (!current) return [];
    const { path, was } = current;
    return [
      { name: 'path', text: absoluteOf(this.#folder.job.folder, path) },
      ...(was?.versionId === undefined ? [] : [{ name: 'version id', text: was.versionId }]),
      { name: 'JSON', text: JSON.stringify(current) },
    ];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const { moments, at, said, standing, sumsOf } = this.#folder;
    const now = this.#ui.clock.now();
    const heading = headingText(moments, { at, now });
    const fits = widthOf(heading) <= columns - 2;
    const time = ` ${fits ? heading : headingText(moments, { at, now, hasAge: false })}`;
    const strip = { at, now, span: this.#span, width: columns };
    const head = [
      look.paint('strong', look.cut(time, columns)),
      ...(moments ? stripLines(moments, strip, look) : []),
      ...(said === undefined
        ? []
        : [look.paint('attention', ` ${look.cut(look.name(said), columns - 2)}`)]),
    ];
    const table = {
      columns: folderColumns({ standing, sumsOf, isNow: at === undefined }),
      empty: this.#folder.isRead ? 'the folder was empty then' : this.#ui.link.unreadText,
      sign: (row: FolderRow) => STANDING_SIGNS[standing(row)],
      tone: (row: FolderRow) => standingTone(standing(row)),
    };
    const subject = this.#selected;
    const files = {
      list: this.list,
      listTitle: 'Files',
      table,
      // If a filter is shown, a narrow border has no space for the counts in words.
      legend: this.#counts(columns >= ROOMY_COLUMNS || !this.list.filter),
      title: look.name(subject ? nameOf(subject.row.path) : ''),
      details: (area: Area) =>
        subject ? entryLines(subject, standing(subject.row), look, area.columns) : [],
      below: columns < WIDE_COLUMNS ? 0 : DETAIL_LINES,
      content: subject && this.#content.pane(subject, look),
    };
    return [...head, ...listAndDetail({ columns, rows: rows - head.length }, files, look)];
  }

  #counts(words: boolean): string {
    const count = (standing: keyof Differences) => this.#folder.count(standing);
    const counts = {
      later: count('later'),
      changed: count('changed'),
      gone: count('gone'),
      uncertain: count('uncertain'),
    };
    return `${countsText(counts, '   ', words)} `;
  }

  #zoom(step: 1 | -1): void {
    this.#span = clamp(this.#span + step, 0, STRIP_SPANS.length - 1);
    this.#ui.changes.now();
  }

  #subject(path = this.#folder.path): Subject {
    return { job: this.#folder.job, path };
  }

  #show(rows: readonly FolderRow[]): void {
    this.list.showAll(
      rows,
      ({ path }) => path,
      ({ path }) => nameOf(path),
    );
  }

  #enter(path: string, cursorAt?: string): void {
    this.list.setFilter('');
    this.list.clearMarks();
    this.#show([]);
    this.#folder.enter(path, cursorAt);
  }

  #goTo(at: At): void {
    this.list.clearMarks();
    this.#folder.goTo(at);
  }

  #lookBelow(): void {
    const { rows, top } = this.list;
    const seen = Array.from({ length: MOST_SEEN }, (_, index) => rows.row(top + index));
    this.#folder.lookBelow(seen.filter((row) => row !== undefined));
  }

  #askTime(): void {
    this.#prompt('as of', (at) => this.#goTo(at));
  }

  #askOther(): void {
    const to = this.#folder.at;
    this.#prompt('compare with', (other) => {
      const [from, until] = to === undefined || other < to ? [other, to] : [to, other];
      this.#ui.router.open(new TimesScreen(this.#ui, this.#subject(), { from, to: until }));
    });
  }

  #prompt(label: string, take: (at: number) => void): void {
    const { clock } = this.#ui;
    const onEnter = (typed: string): string | undefined => {
      const at = readViewTime(typed, clock.now());
      if (at === undefined) return 'not a valid time';
      if (at > clock.now()) return 'the time is in the future';
      take(at);
      return undefined;
    };
    const asked = `${label} (14:03, 2h ago, yesterday, 2026-11-20): `;
    this.#ui.openOverlay(new PromptOverlay(this.#ui, { label: asked, onEnter }));
  }

  /** The selected rows that existed at the selected time. */
  get #there(): readonly FolderRow[] {
    return this.list.chosen.filter(({ was }) => was !== undefined);
  }

  #whyNot(): string | undefined {
    if (this.list.chosen.length === 0) return 'the folder is empty';
    return this.#there.length === 0 ? 'it did not exist then' : undefined;
  }

  #whyNoFile(): string | undefined {
    return this.list.current && !this.list.current.isFolder ? undefined : 'a file has versions';
  }

  #whyNoDiff(): string | undefined {
    const { current } = this.list;
    if (!current || current.isFolder) return 'choose a file; press D to compare folders';
    return current.is === 'changed' ? undefined : 'it has not changed since';
  }

  /** Returns the path under the cursor and the selected time. */
  #undoable() {
    return { subject: this.#subject(this.list.current?.path), at: this.#folder.at };
  }

  #whyNoUndo(): string | undefined {
    if (!this.#folder.keepsVersions) return 'the bucket keeps no versions';
    if (this.#folder.at === undefined) return 'choose an earlier time first ([ or t)';
    return this.list.current?.was ? undefined : 'it did not exist then';
  }

  #diff(): void {
    const { current } = this.list;
    if (current) openFileDiff(this.#ui, this.#folder.job, current);
  }

  #versions(): void {
    const { current } = this.list;
    if (!current) return;
    const { target, bucket, prefix } = this.#folder.job;
    this.#ui.openVersions({ target, bucket, key: prefix + current.path });
  }

  #restore(rows: readonly Pick<FolderRow, 'path' | 'isFolder'>[]): void {
    openRestoreForm(this.#ui, { job: this.#folder.job, at: this.#folder.at, rows });
  }
}

/** The maximum number of visible rows. No terminal has more. */
const MOST_SEEN = 200;

/** The width at which the lower border has space for both the counts in words and a filter. */
const ROOMY_COLUMNS = 80;
