/**
 * Lists and resolves the conflicts of all jobs. A conflict is a file that changed both in the folder and in the bucket.
 */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { listAndDetail } from '../../widgets/list-detail.ts';
import type { CursorContent } from '../../widgets/cursor-content.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { about } from '../../commands/about.ts';
import type { AskingAction } from '../../commands/command.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { live } from '../../commands/live.ts';
import { Lookups } from '../../data/lookups.ts';
import { outcomeOf } from '../../data/outcome.ts';
import type { Outcome } from '../../data/outcome.ts';
import { PagedRows } from '../../data/paged-rows.ts';
import { countText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { CONFLICT_COLUMNS } from './columns.ts';
import { conflictPage, idOf, readSides } from './conflict-data.ts';
import type { Answer, ConflictCursor, ConflictRow, ConflictSides } from './conflict-data.ts';
import { conflictDetails } from './conflict-details.ts';
import { openComparison } from './compare-sides.ts';
import { conflictDifference } from './conflict-difference.ts';
import type { ConflictSubject } from './conflict-difference.ts';
import { choosePolicy } from './policy.ts';
import { askResolve, resolve } from './resolve.ts';

const DETAIL_ROWS = 10;

export class ConflictsScreen implements Screen {
  readonly scope = 'conflicts';
  readonly crumbs = ['conflicts'];
  readonly list: ListModel<ConflictRow>;
  readonly #ui: Ui;
  readonly #rows: PagedRows<ConflictRow, ConflictCursor>;
  readonly #sides: Lookups<ConflictRow, Outcome<ConflictSides>>;
  readonly #difference: CursorContent<ConflictSubject>;
  readonly #unread = new Map<string, string>();
  #all = false;
  #stops: readonly (() => void)[] = [];
  /** The jobs' conflict counts when the list was loaded. */
  #counted = '';

  constructor(ui: Ui) {
    this.#ui = ui;
    this.list = new ListModel<ConflictRow>({
      changes: ui.changes,
      canMark: ({ state }) => state !== 'resolved',
    });
    const pages = {
      jobs: () => ui.status.jobs.map(({ name }) => name),
      all: () => this.#all,
      onUnread: (job: string, why: string) => void this.#unread.set(job, why),
    };
    this.#rows = new PagedRows<ConflictRow, ConflictCursor>({
      fetch: (cursor, signal) => conflictPage(ui, pages, cursor, signal),
      id: idOf,
      text: ({ job, path, state }) => `${job} ${path} ${state}`,
      changed: () => this.list.show(this.#rows),
    });
    this.#sides = new Lookups<ConflictRow, Outcome<ConflictSides>>({
      clock: ui.clock,
      id: idOf,
      ask: (row, signal) => outcomeOf(readSides(ui, row, signal)),
      changed: () => ui.changes.soon(),
    });
    this.#difference = conflictDifference(ui);
  }

  readonly actions: ActionsFor<'conflicts'> = {
    'conflicts.local': this.#answer('local'),
    'conflicts.remote': this.#answer('remote'),
    'conflicts.both': this.#answer('both'),
    'conflicts.diff': {
      why: () => (this.list.current ? undefined : 'no conflict is selected'),
      run: () => this.open(),
    },
    'conflicts.policy': {
      why: () => (this.list.current ? undefined : 'no conflict is selected'),
      run: async () => {
        const { current } = this.list;
        if (current) await choosePolicy(this.#ui, current.job);
      },
    },
    'conflicts.versions': {
      why: () => (this.list.current ? undefined : 'no conflict is selected'),
      run: () => this.#versions(),
    },
    'conflicts.all': { run: () => this.#showAll() },
  };

  get note(): string {
    return this.#all ? 'with resolved conflicts' : '';
  }

  show(): void {
    this.hide();
    const { changes, link } = this.#ui;
    this.#stops = [
      changes.subscribe(() => this.#follow()),
      link.onState(({ kind }) => kind === 'up' && this.#read()),
    ];
    this.#read();
  }

  hide(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#rows.stop();
    this.#sides.stop();
    this.#difference.stop();
  }

  open(): void {
    const { current } = this.list;
    if (current) openComparison(this.#ui, current);
  }

  loadAll(signal: AbortSignal): Promise<void> {
    return this.#rows.loadAll(() => this.list.show(this.#rows), signal);
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    if (!current) return [];
    const { job, path, versionId, savedAs } = current;
    const folder = this.#ui.status.job(job)?.folder;
    return [
      { name: 'path', text: path },
      ...(folder === undefined ? [] : [{ name: 'file', text: `${folder}/${path}` }]),
      ...(versionId === undefined ? [] : [{ name: 'version id', text: versionId }]),
      ...(savedAs === undefined ? [] : [{ name: 'saved as', text: savedAs }]),
      { name: 'JSON', text: JSON.stringify(current) },
    ];
  }

  draw(area: Area, look: Look): readonly string[] {
    const { current } = this.list;
    const subject = this.#subject;
    return listAndDetail(
      area,
      {
        list: this.list,
        listTitle: 'Conflicts',
        table: { columns: CONFLICT_COLUMNS, empty: this.#empty },
        title: current ? look.name(`${current.job}: ${current.path}`) : 'Conflict',
        details: (inner) =>
          current ? conflictDetails(current, this.#sides.of(current), inner, look) : [],
        below: DETAIL_ROWS,
        content: subject && this.#difference.pane(subject, 'Difference', look),
        legend: this.#said(look),
      },
      look,
    );
  }

  get #empty(): string {
    if (this.list.isUnread) return this.#ui.link.unreadText;
    return this.#all ? 'no conflicts, and no resolved ones' : 'no conflicts';
  }

  #said(look: Look): string {
    const [first] = this.#unread;
    if (!first) return '';
    const more =
      this.#unread.size > 1 ? ` and ${countText(this.#unread.size - 1, 'job')} more` : '';
    return look.paint(
      'bad',
      `not read: ${look.name(first[0])}${more}: ${look.cut(look.name(first[1]), 40)} `,
    );
  }

  #read(): void {
    if (!this.#ui.link.isUp) return;
    this.#unread.clear();
    this.#counted = this.#counts();
    this.#sides.expire();
    void this.#rows.reload(this.list.cursor);
    this.list.show(this.#rows);
  }

  #counts(): string {
    return this.#ui.status.jobs
      .map(({ name, counts }) => `${name}\0${counts.conflicts}`)
      .join('\0');
  }

  /** Reloads the list when the conflict counts change, because other clients also resolve conflicts. */
  #follow(): void {
    if (this.#counts() !== this.#counted && !this.#rows.isLoading) this.#read();
    const { current } = this.list;
    this.#sides.want(current ? [current] : []);
  }

  seen(): void {
    this.#difference.follow(this.#subject);
  }

  get #subject(): ConflictSubject | undefined {
    const { current: row } = this.list;
    const sides = row && this.#sides.of(row)?.value;
    return sides && { row, sides };
  }

  #versions(): void {
    const { current } = this.list;
    const job = current && this.#ui.status.job(current.job);
    if (!job) return;
    const { target, bucket, prefix } = job;
    const place = { target, bucket, key: prefix + current.path };
    this.#ui.openVersions(place);
  }

  #showAll(): void {
    this.#all = !this.#all;
    this.list.moveTo(0);
    this.#read();
  }

  /** The selected conflicts that are not resolved yet. */
  get #waiting(): readonly ConflictRow[] {
    return this.list.chosen.filter(({ state }) => state !== 'resolved');
  }

  #answer(keep: Answer): AskingAction {
    const chosen = () => (this.#waiting.length > 0 ? this.#waiting : undefined);
    return about(
      chosen,
      () => (this.list.current ? 'the conflict is resolved' : 'no conflict is selected'),
      {
        ask: (rows) => live((signal) => askResolve(this.#ui, { keep, rows }, signal)),
        run: async (rows) => {
          this.list.clearMarks();
          await resolve(this.#ui, keep, rows);
          this.#read();
        },
      },
    );
  }
}
