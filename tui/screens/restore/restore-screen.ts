/** A folder of a job as it was at a time: walked through, in space and in time, and brought back. */

import type { Area, Copyable, Screen } from '../../app/screen.ts';
import type { Ui } from '../../app/ui.ts';
import { ListModel } from '../../components/list-model.ts';
import { PromptOverlay } from '../../components/prompt.ts';
import { listStatus, tableLines } from '../../components/table.ts';
import type { Actions } from '../../keys/command.ts';
import { Lookups } from '../../store/lookups.ts';
import { outcomeOf } from '../../store/outcome.ts';
import type { Outcome } from '../../store/outcome.ts';
import { whenUp } from '../../store/when-up.ts';
import { countText, instantOf, secondText } from '../../text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { folderColumns, STANDING_SIGNS, standingTone } from './columns.ts';
import { openFileDiff } from './compare-file.ts';
import { TimesScreen } from './times-screen.ts';
import { changedSince, readFolder, readMoments } from './folder-data.ts';
import type { Folder, FolderRow, Standing } from './folder-data.ts';
import type { Subject } from './open-restore.ts';
import { openRestoreForm } from './restore-form.ts';
import { RunsScreen } from './runs-screen.ts';
import { absoluteOf, nameOf, parentOf } from './subject.ts';
import { earlier, isNow, later, sliderLines, timeText } from './time-travel.ts';
import type { At, Moments } from './time-travel.ts';
import { askUndo, undo } from './undo.ts';

export class RestoreScreen implements Screen {
  readonly scope = 'restore';
  readonly list: ListModel<FolderRow>;
  readonly #ui: Ui;
  readonly #job: Subject['job'];
  /** Where it was opened: Esc goes no further up than that. */
  readonly #start: string;
  readonly #since: Lookups<FolderRow, Outcome<boolean>>;
  #path: string;
  #at: At;
  #folder: Outcome<Folder> | undefined;
  #moments: Outcome<Moments> | undefined;
  #keepsVersions = true;
  #reading: AbortController | undefined;
  #stops: readonly (() => void)[] = [];

  constructor(ui: Ui, { job, path }: Subject, at?: number) {
    this.#ui = ui;
    this.#job = job;
    this.#path = path;
    this.#start = path;
    this.#at = at;
    this.list = new ListModel<FolderRow>({ changes: ui.changes });
    this.#since = new Lookups<FolderRow, Outcome<boolean>>({
      clock: ui.clock,
      id: (row) => `${row.path}\0${this.#at ?? ''}`,
      ask: (row, signal) =>
        outcomeOf(changedSince(ui, { job, path: row.path }, this.#at ?? ui.clock.now(), signal)),
      changed: () => ui.changes.soon(),
    });
  }

  readonly actions: Actions = {
    'restore.earlier': { run: (count = 1) => this.#step(earlier, count) },
    'restore.later': { run: (count = 1) => this.#step(later, count) },
    'restore.time': { run: () => this.#askTime() },
    'restore.now': { run: () => this.#goTo(undefined) },
    'restore.restore': { why: () => this.#whyNot(), run: () => this.#restore(this.#there) },
    'restore.folder': { run: () => this.#restore([{ path: this.#path, isFolder: true }]) },
    'restore.diff': { why: () => this.#whyNoDiff(), run: () => this.#diff() },
    'restore.compare': { run: () => this.#askOther() },
    'restore.undo': {
      why: () => this.#whyNoUndo(),
      ask: () => askUndo(this.#ui, this.#subject(this.list.current?.path), this.#at),
      run: () => undo(this.#ui, this.#subject(this.list.current?.path), this.#at),
    },
    'restore.versions': { why: () => this.#whyNoFile(), run: () => this.#versions() },
    'restore.runs': { run: () => this.#ui.router.open(new RunsScreen(this.#ui)) },
  };

  get crumbs(): readonly string[] {
    return ['restore', this.#job.name, ...(this.#path === '' ? [] : [this.#path])];
  }

  get note(): string {
    return this.#at === undefined ? 'now' : secondText(this.#at);
  }

  show(): void {
    this.hide();
    const { changes, link } = this.#ui;
    this.#stops = [
      changes.subscribe(() => this.#lookBelow()),
      whenUp(link, () => {
        this.#since.expire();
        this.#moments = undefined;
        void this.#read();
      }),
    ];
  }

  hide(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#reading?.abort();
    this.#reading = undefined;
    this.#since.stop();
  }

  async open(): Promise<void> {
    const { current } = this.list;
    if (current?.isFolder) this.#enter(current.path);
    else if (current && this.#whyNoDiff() === undefined) this.#diff();
    else await this.#versions();
  }

  back(): boolean {
    if (this.#path === this.#start) return false;
    const from = this.#path;
    this.#enter(parentOf(from), from);
    return true;
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    if (!current) return [];
    const { path, was } = current;
    return [
      { name: 'path', text: absoluteOf(this.#job.folder, path) },
      ...(was?.versionId === undefined ? [] : [{ name: 'version id', text: was.versionId }]),
      { name: 'JSON', text: JSON.stringify(current) },
    ];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const moments = this.#moments?.value;
    const time = ` ${timeText(moments, this.#at, this.#ui.clock.now())}`;
    const said = this.#said();
    const head = [
      look.paint('strong', look.cut(time, columns)),
      ...(moments ? sliderLines(moments, this.#at, columns, look) : []),
      ...(said === undefined
        ? []
        : [look.paint('attention', ` ${look.cut(look.name(said), columns - 2)}`)]),
    ];
    const table = {
      columns: folderColumns(this.#standing),
      width: columns,
      height: rows - head.length - 1,
      empty: this.#folder ? 'nothing was here then' : 'reading',
      sign: (row: FolderRow) => STANDING_SIGNS[this.#standing(row)],
      tone: (row: FolderRow) => standingTone(this.#standing(row)),
    };
    const lines = tableLines(this.list, table, look);
    return [...head, ...lines, listStatus(this.list, columns, look, this.#counts())];
  }

  /** What the user must know of what is shown. */
  #said(): string | undefined {
    if (this.#folder?.problem !== undefined) return this.#folder.problem;
    if (this.#moments?.problem !== undefined) return this.#moments.problem;
    if (!this.#keepsVersions)
      return 'the bucket keeps no versions: only what is in it now can be brought back';
    if (this.#folder?.value?.isCut) return 'there is more in it: only the first entries are shown';
    return undefined;
  }

  #counts(): string {
    const rows = this.#folder?.value?.rows ?? [];
    const count = (standing: Standing) =>
      rows.filter((row) => this.#standing(row) === standing).length;
    const words = (['changed', 'gone', 'later'] as const).flatMap((standing) => {
      const many = count(standing);
      return many === 0 ? [] : [`${STANDING_SIGNS[standing]} ${countText(many)} ${standing}`];
    });
    return `${words.join('   ')} `;
  }

  readonly #standing = (row: FolderRow): Standing => {
    if (row.is !== 'unknown') return row.is;
    if (this.#at === undefined) return 'same';
    const since = this.#since.of(row)?.value;
    return since === undefined ? 'unknown' : since ? 'changed' : 'same';
  };

  #subject(path = this.#path): Subject {
    return { job: this.#job, path };
  }

  #enter(path: string, cursorAt?: string): void {
    this.#path = path;
    this.#moments = undefined;
    this.#folder = undefined;
    this.list.setFilter('');
    this.list.clearMarks();
    this.list.showAll([], ({ path: id }) => id);
    void this.#read(cursorAt);
  }

  #goTo(at: At): void {
    this.#at = at;
    this.list.clearMarks();
    void this.#read();
  }

  async #read(cursorAt?: string): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    const subject = this.#subject();
    const [folder, moments, keepsVersions] = await Promise.all([
      outcomeOf(readFolder(this.#ui, subject, this.#at, signal)),
      this.#moments ?? outcomeOf(readMoments(this.#ui, subject, signal)),
      this.#readVersioning(signal),
    ]).catch(() => []);
    if (this.#reading !== reading || !folder || !moments) return;
    this.#folder = folder;
    this.#moments = moments;
    this.#keepsVersions = keepsVersions ?? true;
    this.list.showAll(
      folder.value?.rows ?? [],
      ({ path }) => path,
      ({ path }) => nameOf(path),
    );
    if (cursorAt !== undefined) this.list.moveToId(cursorAt);
    this.#lookBelow();
    this.#ui.changes.soon();
  }

  /** Where that cannot be told, nothing is said. */
  async #readVersioning(signal: AbortSignal): Promise<boolean> {
    const { bucket, target } = this.#job;
    const answer = await outcomeOf(this.#ui.call('versioning.get', { bucket, target }, { signal }));
    return answer.value === undefined || answer.value.versioning !== undefined;
  }

  /** Of folders that were there then and are now, whether anything in them changed: only of those that are seen. */
  #lookBelow(): void {
    if (this.#at === undefined) return;
    const { rows, top } = this.list;
    const seen = Array.from({ length: MOST_SEEN }, (_, index) => rows.row(top + index));
    this.#since.want(seen.filter((row) => row !== undefined).filter(({ is }) => is === 'unknown'));
  }

  #step(go: (known: Moments, at: At) => At | 'now', count: number): void {
    const known = this.#moments?.value;
    if (!known) return this.#ui.warn('the times are being read');
    let at = this.#at;
    for (let step = 0; step < count; step += 1) {
      const next = go(known, at);
      if (next === undefined) {
        this.#ui.warn(
          known.isComplete
            ? 'there was nothing before'
            : 'earlier times are not known: type one (t)',
        );
        break;
      }
      at = next === 'now' || isNow(known, next) ? undefined : next;
    }
    this.#goTo(at);
  }

  #askTime(): void {
    this.#prompt('as of: ', (at) => this.#goTo(at));
  }

  #askOther(): void {
    const to = this.#at;
    this.#prompt('compare with: ', (other) => {
      const [from, until] = to === undefined || other < to ? [other, to] : [to, other];
      this.#ui.router.open(new TimesScreen(this.#ui, this.#subject(), { from, to: until }));
    });
  }

  #prompt(label: string, take: (at: number) => void): void {
    const { clock } = this.#ui;
    const onEnter = (typed: string): string | undefined => {
      const at = instantOf(typed, clock.now());
      if (at === undefined) return 'a time, such as 2h ago or 2026-11-20 14:03';
      if (at > clock.now()) return 'that is still to come';
      take(at);
      return undefined;
    };
    this.#ui.openOverlay(new PromptOverlay(this.#ui, { label, onEnter }));
  }

  /** Those chosen that were there then. */
  get #there(): readonly FolderRow[] {
    return this.list.chosen.filter(({ was }) => was !== undefined);
  }

  #whyNot(): string | undefined {
    if (this.list.chosen.length === 0) return 'nothing is here';
    return this.#there.length === 0 ? 'it was not there then' : undefined;
  }

  #whyNoFile(): string | undefined {
    return this.list.current && !this.list.current.isFolder ? undefined : 'a file has versions';
  }

  #whyNoDiff(): string | undefined {
    const { current } = this.list;
    if (!current || current.isFolder) return 'it is no file: D compares folders';
    return current.is === 'changed' ? undefined : 'it does not differ from what it is now';
  }

  #whyNoUndo(): string | undefined {
    if (!this.#keepsVersions) return 'the bucket keeps no versions';
    if (this.#at === undefined) return 'go back to a time first ([ or t)';
    return this.list.current?.was ? undefined : 'it was not there then';
  }

  #diff(): void {
    const { current } = this.list;
    if (current) openFileDiff(this.#ui, this.#job, current);
  }

  async #versions(): Promise<void> {
    const { current } = this.list;
    if (!current) return;
    // That screen leads here, too.
    const { VersionsScreen } = await import('../versions/versions-screen.ts');
    const { target, bucket, prefix } = this.#job;
    const place = { target, bucket, key: prefix + current.path };
    this.#ui.router.open(new VersionsScreen(this.#ui, place));
  }

  #restore(rows: readonly Pick<FolderRow, 'path' | 'isFolder'>[]): void {
    openRestoreForm(this.#ui, { job: this.#job, at: this.#at, rows });
  }
}

/** No terminal has more rows. */
const MOST_SEEN = 200;
