/** The objects of a bucket, one prefix at a time, as a file manager shows folders. */

import type { Area, Copyable, Screen } from '../../app/screen.ts';
import type { Ui } from '../../app/ui.ts';
import { beside, pane } from '../../components/layout.ts';
import { WIDE_COLUMNS } from '../../components/list-detail.ts';
import { FormOverlay } from '../../components/form.ts';
import { listStatus, tableLines } from '../../components/table.ts';
import type { ListModel } from '../../components/list-model.ts';
import { clamp } from '../../components/window.ts';
import type { Actions } from '../../keys/command.ts';
import { onJobWrites } from '../../store/job-writes.ts';
import { whenUp } from '../../store/when-up.ts';
import { bucketText } from '../../store/place.ts';
import type { BucketPlace } from '../../store/place.ts';
import { bytesText } from '../../text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { objectColumns } from './columns.ts';
import { BucketKnowledge } from './bucket-knowledge.ts';
import { ObjectScreen } from '../object/object-screen.ts';
import { factLines, objectFacts } from '../object/object-facts.ts';
import { VersionsScreen } from '../versions/versions-screen.ts';
import { SettingsScreen } from '../settings/settings-screen.ts';
import { ObjectsLevel } from './level.ts';
import { DELIMITER, idOf, isStored, nameOf, objectId, parentOf } from './object-rows.ts';
import { completedKey } from './complete-key.ts';
import type { ObjectRow, StoredRow } from './object-rows.ts';
import { objectActions } from './object-actions.ts';

/** Of the pane beside the list, and what the list needs to show when objects were changed. */
const DETAIL_COLUMNS = { least: 36, most: 44 };
const LIST_COLUMNS = 68;

export class ObjectsScreen implements Screen {
  readonly scope = 'objects';
  readonly place: BucketPlace;
  readonly #ui: Ui;
  readonly #known: BucketKnowledge;
  /** From where one went down, and where one is. */
  #levels: ObjectsLevel[];
  #showDeleted = false;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui, place: BucketPlace) {
    this.#ui = ui;
    this.place = place;
    this.#known = new BucketKnowledge(ui, place);
    this.#levels = [this.#levelOf('')];
    this.actions = {
      'objects.showDeleted': {
        why: () => this.#known.whyNoVersions,
        run: () => this.#toggleDeleted(),
      },
      'objects.settings': { run: () => ui.router.open(new SettingsScreen(ui, place)) },
      'objects.goTo': { run: () => this.#askWhere() },
      ...objectActions({
        ui,
        place,
        known: this.#known,
        prefix: () => this.#prefix,
        current: () => this.list.current,
        chosen: () => this.list.chosen,
        changed: () => this.#changed(),
      }),
    };
  }

  get crumbs(): readonly string[] {
    return ['buckets', bucketText(this.place), ...(this.#prefix === '' ? [] : [this.#prefix])];
  }

  get note(): string {
    return this.#known.note;
  }

  get list(): ListModel<ObjectRow> {
    return this.#level.list;
  }

  readonly actions: Actions;

  show(): void {
    this.hide();
    const stop = whenUp(this.#ui.link, () => {
      this.#known.read();
      void this.#level.refresh();
    });
    const { target, bucket } = this.place;
    const place = { target, bucket, prefix: () => this.#prefix };
    const stopWrites = onJobWrites(this.#ui, place, () => void this.#level.refresh());
    this.#stopListening = () => {
      stop();
      stopWrites();
      this.#known.stop();
    };
  }

  hide(): void {
    this.#level.rows.stop();
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  open(): void {
    const { current } = this.list;
    if (current?.kind === 'up') this.#goUp();
    if (current?.kind === 'folder') this.#goInto(current.prefix);
    if (!isStored(current)) return;
    const { place } = this;
    const screen =
      current.kind === 'deleted'
        ? new VersionsScreen(this.#ui, { ...place, key: current.key })
        : new ObjectScreen(this.#ui, { place, row: current, known: this.#known });
    this.#ui.router.open(screen);
  }

  back(): boolean {
    if (this.#prefix === '') return false;
    this.#goUp();
    return true;
  }

  async loadAll(signal: AbortSignal): Promise<void> {
    if (this.list.filter) return;
    await this.#level.rows.loadAll(() => this.list.show(this.#level.rows), signal);
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    if (!current || current.kind === 'up') return [];
    const name = nameOf(current);
    return [
      { name: 'key', text: name },
      { name: 'URI', text: `s3://${this.place.bucket}/${name}` },
      { name: 'JSON', text: JSON.stringify(current) },
    ];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const isWide = columns >= WIDE_COLUMNS;
    const { least, most } = DETAIL_COLUMNS;
    const detailColumns = clamp(columns - LIST_COLUMNS, least, most);
    const table = {
      columns: objectColumns(this.#prefix, this.#known),
      width: isWide ? columns - detailColumns : columns,
      height: rows - 1,
      empty: 'nothing here yet: U uploads',
      sign: (row: ObjectRow) => (row.kind === 'deleted' ? look.glyphs.deleted : undefined),
      tone: (row: ObjectRow) => (row.kind === 'deleted' ? ('dim' as const) : undefined),
    };
    const list = tableLines(this.list, table, look);
    const detail = () => this.#detail({ columns: detailColumns, rows: rows - 1 }, look);
    const lines = isWide ? beside([list, detail()]) : list;
    this.#known.lookAt(this.#inView(rows), this.list.current);
    return [...lines, listStatus(this.list, columns, look, this.#status(look))];
  }

  /** The row under the cursor. */
  #detail(area: Area, look: Look): string[] {
    const { current } = this.list;
    const title =
      current && current.kind !== 'up' ? look.name(nameOf(current).slice(this.#prefix.length)) : '';
    const facts = current && this.#known.factsOf(current);
    const hasLock = this.#known.bucket?.objectLock !== undefined;
    const now = this.#ui.clock.now();
    const lines = facts
      ? factLines(objectFacts(facts, { now, hasLock }), area.columns - 4, look)
      : [];
    const options = { title, width: area.columns, height: area.rows };
    return pane(
      lines.map((line) => ` ${line}`),
      options,
      look,
    );
  }

  get #level(): ObjectsLevel {
    return this.#levels.at(-1) ?? this.#levelOf('');
  }

  get #prefix(): string {
    return this.#level.prefix;
  }

  #levelOf(prefix: string): ObjectsLevel {
    const { place } = this;
    return new ObjectsLevel(this.#ui, { place, prefix, showDeleted: () => this.#showDeleted });
  }

  #inView(height: number): StoredRow[] {
    const { rows, top } = this.list;
    const shown = Array.from({ length: height }, (_, row) => rows.row(top + row));
    return shown.filter(isStored);
  }

  #status(look: Look): string {
    const marked = [...this.list.marks.values()].filter(isStored);
    const bytes = marked.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const legend = look.paint('dim', 'L lock  H hold  C conflict  D deleted ');
    return marked.length === 0 ? legend : `${bytesText(bytes)}   ${legend}`;
  }

  #goInto(prefix: string): void {
    this.#change(() => this.#levels.push(this.#levelOf(prefix)));
  }

  /** The cursor goes to the folder that one comes from. */
  #goUp(): void {
    const { prefix } = this.#level;
    if (prefix === '') return void this.#ui.router.back();
    this.#change(() => {
      this.#levels.pop();
      if (this.#levels.length === 0) this.#levels.push(this.#levelOf(parentOf(prefix)));
      this.#level.goTo(idOf({ kind: 'folder', prefix }));
    });
  }

  #change(change: () => void): void {
    this.#level.rows.stop();
    change();
    void this.#level.refresh();
    this.#ui.changes.now();
  }

  #askWhere(): void {
    this.#ui.openOverlay(
      new FormOverlay(this.#ui, {
        title: `Go to in ${this.#ui.look.name(bucketText(this.place))}`,
        fields: [
          {
            name: 'key',
            label: 'key or prefix',
            value: this.#prefix,
            help: 'Tab completes; what ends with / is a folder',
            complete: (text) => completedKey(this.#ui, this.place, text),
          },
        ],
        submit: async ({ key = '' }) => this.goTo(key),
      }),
    );
  }

  /** To a folder, or to the row of a key in its folder. */
  goTo(key: string): void {
    const prefix = key.endsWith(DELIMITER) ? key : parentOf(`${key}${DELIMITER}`);
    this.#change(() => {
      if (prefix !== this.#prefix) this.#levels = [this.#levelOf(prefix)];
    });
    if (key === prefix) return;
    void this.#ui.attempt(() => this.#seek(key));
  }

  async #seek(key: string): Promise<void> {
    const level = this.#level;
    const isThere = await this.#ui.work('going there', ({ abort }) =>
      level.seek(objectId(key), abort.signal),
    );
    if (!isThere) this.#ui.warn(`there is no ${key} in ${bucketText(this.place)}`);
  }

  #changed(): void {
    this.list.clearMarks();
    this.#known.expire();
    void this.#level.refresh();
  }

  #toggleDeleted(): void {
    this.#showDeleted = !this.#showDeleted;
    this.list.clearMarks();
    void this.#level.restart();
  }
}
