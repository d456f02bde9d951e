/** Lists the versions of an object with their locks, and offers actions on each version. */

import { switchHold, openLockForm } from '../../acts/lock.ts';
import type { Lockable } from '../../acts/lock.ts';
import { askRemoval, removeVersion, restoreVersion } from '../../acts/versions.ts';
import type { VersionToRemove } from '../../acts/versions.ts';
import { planRemovals, removeVersions } from '../../acts/remove-versions.ts';
import type { Removals } from '../../acts/remove-versions.ts';
import type { Question } from '../../commands/command.ts';
import { openLinkForm } from '../../acts/link.ts';
import { openSaveForm } from '../../acts/save.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { listAndDetail } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { about } from '../../commands/about.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { ObjectLock } from '../../data/object-lock.ts';
import { PagedRows } from '../../data/paged-rows.ts';
import { bucketText } from '../../data/place.ts';
import type { ObjectPlace } from '../../data/place.ts';
import { onJobWrites } from '../../data/job-writes.ts';
import { RowFacts } from '../../data/row-facts.ts';
import { whenUp } from '../../data/when-up.ts';
import { bytesText, countText } from '../../../src/text/amounts.ts';
import { whyNotDeleted } from '../../text/locks.ts';
import type { Look } from '../../theme/look.ts';
import { PreviewScreen } from '../preview/preview-screen.ts';
import { fileOfKey, openRestoreOfKey } from '../restore/open-restore.ts';
import { askUndo, undo } from '../restore/undo.ts';
import { versionColumns } from './columns.ts';
import { openVersionDiff } from './compare-versions.ts';
import { VersionContent } from './version-content.ts';
import type { VersionSubject } from './version-content.ts';
import { versionLines } from './version-detail.ts';
import { fetchVersions, isMarker, VERSION_ORDERS } from './version-rows.ts';
import type { VersionCursor, VersionRow } from './version-rows.ts';

/** The number of detail lines below the list. */
const PANE_LINES = 6;

export class VersionsScreen implements Screen {
  readonly scope = 'versions';
  readonly list: ListModel<VersionRow>;
  readonly #ui: Ui;
  readonly #place: ObjectPlace;
  readonly #rows: PagedRows<VersionRow, VersionCursor>;
  readonly #facts: RowFacts<VersionRow>;
  readonly #content: VersionContent;
  readonly #lock: ObjectLock;
  #stopListening: (() => void) | undefined;
  /** The versions that the open question would remove, if several versions are marked. */
  #removals: Removals | undefined;

  constructor(ui: Ui, { target, bucket, key }: ObjectPlace) {
    this.#ui = ui;
    this.#place = { target, bucket, key };
    this.list = new ListModel<VersionRow>({ changes: ui.changes, orders: VERSION_ORDERS });
    this.#rows = new PagedRows<VersionRow, VersionCursor>({
      fetch: (cursor, signal) => fetchVersions(ui, this.#place, cursor, signal),
      id: ({ versionId }) => versionId,
      changed: () => this.list.show(this.#rows),
    });
    this.#facts = new RowFacts<VersionRow>(ui, {
      place: this.#place,
      id: ({ versionId }) => versionId,
      ref: ({ versionId }) => ({ key, versionId }),
    });
    this.#content = new VersionContent(ui, this.#place);
    this.#lock = new ObjectLock(ui, this.#place);
    this.list.show(this.#rows);
  }

  get crumbs(): readonly string[] {
    return [bucketText(this.#place), this.#place.key, 'versions'];
  }

  get note(): string {
    const { rows } = this.list;
    const known = Array.from({ length: rows.count }, (_, index) => rows.row(index)).filter(
      (row) => row !== undefined,
    );
    const markers = known.filter(isMarker).length;
    const bytes = known.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const more = rows.more ? '+' : '';
    const marked = markers === 0 ? '' : ` + ${countText(markers, 'delete marker')}`;
    return `${countText(known.length - markers, 'version')}${more}${marked}  ${bytesText(bytes)}`;
  }

  readonly actions: ActionsFor<'versions'> = {
    'versions.restore': {
      why: () => this.#whyNotRestored(),
      run: () => this.#restore(),
    },
    'versions.delete': about(
      () => this.#toRemove(),
      () => 'no version is selected',
      {
        why: ({ length }) => (length > 1 ? undefined : this.#whyNotDeleted()),
        ask: (versions) => this.#askRemoval(versions),
        run: (versions) => this.#delete(versions),
      },
    ),
    'versions.lock': {
      asks: 'in its form',
      why: () => this.#whyNotLocked(),
      run: () => openLockForm(this.#ui, this.#lockables(), this.#changed),
    },
    'versions.hold': {
      why: () => this.#whyNotLocked(),
      run: () => switchHold(this.#ui, this.#lockables(), this.#changed),
    },
    'versions.diff': {
      why: () => this.#whyNotCompared(),
      run: () => openVersionDiff(this.#ui, this.#place, this.#compared()),
    },
    'versions.preview': {
      why: () => this.#whyNoContent(),
      run: () => this.#ui.router.open(new PreviewScreen(this.#ui, this.#version())),
    },
    'versions.save': {
      why: () => this.#whyNoContent(),
      run: () => openSaveForm(this.#ui, this.#version()),
    },
    'versions.link': {
      why: () => this.#whyNoContent(),
      run: () => openLinkForm(this.#ui, this.#version()),
    },
    'versions.folder': {
      run: () => openRestoreOfKey(this.#ui, this.#place, this.list.current?.lastModifiedAt),
    },
  };

  show(): void {
    this.hide();
    const stop = whenUp(this.#ui.link, this.#changed);
    const place = { ...this.#place, prefix: () => this.#place.key };
    const stopWrites = onJobWrites(this.#ui, place, this.#changed);
    this.#stopListening = () => {
      stop();
      stopWrites();
    };
  }

  hide(): void {
    this.#rows.stop();
    this.#facts.stop();
    this.#content.stop();
    this.#lock.stop();
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  async loadAll(signal: AbortSignal): Promise<void> {
    if (this.list.filter || this.list.order) return;
    await this.#rows.loadAll(() => this.list.show(this.#rows), signal);
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    if (!current) return [];
    return [
      { name: 'version id', text: current.versionId },
      { name: 'key', text: current.key },
      { name: 'JSON', text: JSON.stringify({ ...current, ...this.#facts.of(current) }) },
    ];
  }

  draw(area: Area, look: Look): readonly string[] {
    const now = this.#ui.clock.now();
    const known = { locksOf: (row: VersionRow) => this.#facts.locksOf(row), now: () => now };
    const { current } = this.list;
    const subject = this.#subject;
    const hasLock = this.#lock.whyNot === undefined;
    return listAndDetail(
      area,
      {
        list: this.list,
        listTitle: 'Versions',
        table: { columns: versionColumns(known), ...TABLE(look) },
        title: 'Selected version',
        details: ({ columns }) =>
          current
            ? versionLines(
                { row: current, facts: this.#facts.of(current), now, hasLock },
                columns,
                look,
              )
            : [],
        below: PANE_LINES,
        content: subject && this.#content.pane(subject, look),
      },
      look,
    );
  }

  seen(): void {
    const { current } = this.list;
    const stored = this.list.inView().filter((row) => !isMarker(row));
    this.#facts.want(stored, current && !isMarker(current) ? current : undefined);
    this.#content.follow(this.#subject);
  }

  get #subject(): VersionSubject | undefined {
    const { current: row } = this.list;
    const facts = row && this.#facts.of(row);
    return facts && { row, facts, older: this.#before(row) };
  }

  /**
   * Returns the version that precedes this version in time. In the list it follows, because the
   * service lists the latest version first.
   */
  #before(row: VersionRow): VersionSubject['older'] {
    const rows = this.#rows;
    const start = this.list.rows === rows ? this.list.cursor : 0;
    let isBelow = false;
    for (let index = start; index < rows.count; index += 1) {
      const each = rows.row(index);
      if (!each) return 'unknown';
      if (isBelow && !isMarker(each)) return each;
      isBelow ||= each.versionId === row.versionId;
    }
    return rows.more ? 'unknown' : 'none';
  }

  readonly #changed = (): void => {
    this.#facts.expire();
    this.#lock.read();
    const isSearched = this.list.filter ?? this.list.order;
    void this.#rows.reload(isSearched ? 0 : this.list.top).then(() => this.list.searchAgain());
  };

  #whyNoContent(): string | undefined {
    const { current } = this.list;
    if (!current) return 'no version is selected';
    return isMarker(current) ? 'a delete marker has no content' : undefined;
  }

  #version(): ObjectPlace {
    return { ...this.#place, versionId: this.list.current?.versionId };
  }

  #whyNotRestored(): string | undefined {
    const current = this.list.current?.isLatest ? 'it is the current version' : undefined;
    return this.#whyNoContent() ?? current;
  }

  /** Restores a version. If a job backs up to the key, the local file is restored, too. */
  async #restore(): Promise<void> {
    const [ui, version] = [this.#ui, this.#version()];
    const file = fileOfKey(ui, version);
    if (!file) return restoreVersion(ui, version, this.#changed);
    const { versionId } = version;
    if (await ui.ask(await askUndo(ui, file, { versionId }))) undo(ui, file, { versionId });
  }

  #whyNotDeleted(): string | undefined {
    const [current] = this.list.chosen;
    if (!current) return 'no version is selected';
    const facts = this.#facts.of(current);
    return facts && whyNotDeleted(facts, this.#ui.clock.now());
  }

  async #askRemoval(versions: readonly VersionToRemove[]): Promise<Question | undefined> {
    this.#removals = undefined;
    const [only] = versions;
    if (only && versions.length === 1) return askRemoval(this.#ui, only);
    const { question, removals } = await planRemovals(this.#ui, versions);
    this.#removals = removals;
    return question;
  }

  async #delete(versions: readonly VersionToRemove[]): Promise<void> {
    const [only] = versions;
    if (this.#removals) await removeVersions(this.#ui, this.#removals);
    else if (only) await removeVersion(this.#ui, only);
    this.list.clearMarks();
    this.#changed();
  }

  #toRemove(): readonly VersionToRemove[] | undefined {
    const rows = this.list.chosen;
    if (rows.length === 0) return undefined;
    return rows.map((row) => {
      const { target, bucket, key } = this.#place;
      const { versionId, sizeBytes, lastModifiedAt, isLatest } = row;
      const version = { versionId, sizeBytes, lastModifiedAt, isLatest };
      return Object.assign({ target, bucket, key, isMarker: isMarker(row) }, version);
    });
  }

  #whyNotLocked(): string | undefined {
    const isMarked = this.#lockables().length === 0;
    return isMarked ? 'a delete marker cannot be locked' : this.#lock.whyNot;
  }

  #lockables(): Lockable[] {
    return this.list.chosen
      .filter((row) => !isMarker(row))
      .map((row) => {
        const { target, bucket, key } = this.#place;
        const { versionId, sizeBytes } = row;
        return { target, bucket, key, versionId, sizeBytes, lock: this.#facts.locksOf(row) };
      });
  }

  #whyNotCompared(): string | undefined {
    const compared = this.#compared();
    if (compared.some(isMarker)) return 'a delete marker has no content';
    return compared.length === 2 ? undefined : 'mark two versions with Space';
  }

  /**
   * Returns the two versions to compare: the marked versions, or the single marked version and the
   * version under the cursor.
   */
  #compared(): readonly VersionRow[] {
    const { marks, current } = this.list;
    const marked = [...marks.values()];
    return marked.length === 1 && current && !this.list.isMarked(current)
      ? [...marked, current]
      : marked;
  }
}

const TABLE = (look: Look) => {
  return {
    empty: 'it has no version left',
    sign: (row: VersionRow) => (isMarker(row) ? look.glyphs.deleted : undefined),
    tone: (row: VersionRow) => (isMarker(row) ? ('dim' as const) : undefined),
  };
};
