/** Lists the objects in a bucket, one prefix at a time, like folders in a file manager. */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { FormOverlay } from '../../widgets/form.ts';
import type { ListModel } from '../../widgets/list-model.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { onJobWrites } from '../../data/job-writes.ts';
import { whenUp } from '../../data/when-up.ts';
import { asked, bucketText } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import type { Look } from '../../theme/look.ts';
import { PreviewContent } from '../preview/preview-content.ts';
import type { PreviewSubject } from '../preview/preview-content.ts';
import { BucketKnowledge } from './bucket-knowledge.ts';
import { ObjectScreen } from './object-screen.ts';
import { SettingsScreen } from '../settings/settings-screen.ts';
import { UsageScreen } from '../usage/usage-screen.ts';
import { ObjectsLevel } from './level.ts';
import { DELIMITER, idOf, isStored, nameOf, objectId, rowIdOf } from './object-rows.ts';
import { parentOf } from '../../data/place.ts';
import { completedKey } from './complete-key.ts';
import type { ObjectRow, StoredRow } from './object-rows.ts';
import { objectActions } from './object-actions.ts';
import { objectsLines } from './objects-view.ts';

/**
 * The lifetime of the presigned URL in the copy menu. The key `u` asks for the lifetime instead.
 */
const LINK_SECONDS = 86_400;

export class ObjectsScreen implements Screen {
  readonly scope = 'objects';
  readonly place: BucketPlace;
  readonly #ui: Ui;
  readonly #known: BucketKnowledge;
  /** The open prefixes, from the bucket's root to the visible prefix. */
  #levels: ObjectsLevel[];
  #showDeleted = false;
  #stopListening: (() => void) | undefined;
  readonly #preview: PreviewContent;

  /** `start` is the prefix of the folder that is shown first. */
  constructor(ui: Ui, place: BucketPlace, start = '') {
    this.#ui = ui;
    this.place = place;
    this.#known = new BucketKnowledge(
      ui,
      place,
      () => this.#prefix,
      () => this.#level.sortAgain(),
    );
    this.#preview = new PreviewContent(ui);
    this.#levels = [this.#levelOf(start)];
    this.actions = {
      'objects.showDeleted': {
        why: () => this.#known.whyNoVersions,
        run: () => this.#toggleDeleted(),
      },
      'objects.settings': { run: () => ui.router.open(new SettingsScreen(ui, place)) },
      'objects.usage': {
        run: () => {
          const showObjects = (prefix: string) => {
            ui.router.back();
            this.goTo(prefix);
          };
          ui.router.open(new UsageScreen(ui, { place, prefix: this.#prefix, showObjects }));
        },
      },
      'objects.goTo': { run: () => this.#askWhere() },
      ...objectActions({
        ui,
        place,
        known: this.#known,
        prefix: () => this.#prefix,
        current: () => this.list.current,
        chosen: () => this.list.chosen,
        changed: (returned) => this.#changed(returned),
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

  readonly actions: ActionsFor<'objects'>;

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
      this.#preview.stop();
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
    if (current.kind === 'deleted') {
      return this.#ui.openVersions({ ...place, key: current.key });
    }
    this.#ui.router.open(new ObjectScreen(this.#ui, { place, row: current, known: this.#known }));
  }

  back(): boolean {
    if (this.#levels.length === 1) return false;
    this.#change(() => this.#leave(this.#levels.pop()));
    return true;
  }

  async loadAll(signal: AbortSignal): Promise<void> {
    if (this.list.filter || this.list.order) return;
    await this.#level.rows.loadAll(() => this.list.show(this.#level.rows), signal);
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    if (!current || current.kind === 'up') return [];
    const name = nameOf(current);
    return [
      { name: 'key', text: name },
      { name: 'URI', text: `s3://${this.place.bucket}/${name}` },
      ...(current.kind === 'object' ? this.#copyablesOf(current) : []),
      { name: 'JSON', text: JSON.stringify(current) },
    ];
  }

  #copyablesOf(row: StoredRow): Copyable[] {
    const { key } = row;
    const versionId = this.#known.factsOf(row)?.versionId;
    const link = async () => {
      const wanted = { does: 'get' as const, expiresSeconds: LINK_SECONDS };
      return (await this.#ui.call('links.create', { ...asked(this.place), key, ...wanted })).url;
    };
    return [
      { name: 'download link for a day', text: link },
      ...(versionId === undefined ? [] : [{ name: 'version id', text: versionId }]),
    ];
  }

  draw(area: Area, look: Look): readonly string[] {
    const content = this.#previewed && this.#preview.pane(this.#previewed, 'Preview', look);
    const view = { list: this.list, prefix: this.#prefix, known: this.#known, content };
    return objectsLines(view, area, look);
  }

  seen(): void {
    this.#known.want(this.list.inView().filter(isStored), this.list.current);
    this.#preview.follow(this.#previewed);
  }

  get #previewed(): PreviewSubject | undefined {
    const { current } = this.list;
    const facts = current && this.#known.factsOf(current);
    return facts && { place: { ...this.place, key: nameOf(current) }, facts };
  }

  get #level(): ObjectsLevel {
    return this.#levels.at(-1) ?? this.#levelOf('');
  }

  get #prefix(): string {
    return this.#level.prefix;
  }

  #levelOf(prefix: string): ObjectsLevel {
    const { place } = this;
    const { sumsOf } = this.#known;
    const showDeleted = () => this.#showDeleted;
    return new ObjectsLevel(this.#ui, { place, prefix, showDeleted, sumsOf });
  }

  #goInto(prefix: string): void {
    this.#change(() => this.#levels.push(this.#levelOf(prefix)));
  }

  /** Opens the parent prefix, and moves the cursor to the folder that the user has left. */
  #goUp(): void {
    const { prefix } = this.#level;
    if (prefix === '') return void this.#ui.router.back();
    this.#change(() => {
      const left = this.#levels.pop();
      if (this.#levels.at(-1)?.prefix !== parentOf(prefix))
        this.#levels.push(this.#levelOf(parentOf(prefix)));
      this.#leave(left);
    });
  }

  /** Moves the cursor to the folder that the user has left, if it is in the shown folder. */
  #leave(left: ObjectsLevel | undefined): void {
    if (left && parentOf(left.prefix) === this.#prefix)
      this.#level.goTo(idOf({ kind: 'folder', prefix: left.prefix }));
  }

  #change(change: () => void): void {
    this.#level.rows.stop();
    change();
    this.#known.readFolders();
    void this.#level.refresh();
    this.#ui.changes.now();
  }

  #askWhere(): void {
    this.#ui.openOverlay(
      new FormOverlay(this.#ui, {
        title: `Go to in ${this.#ui.look.name(bucketText(this.place))}`,
        act: 'go',
        fields: [
          {
            name: 'key',
            label: 'key or prefix',
            value: this.#prefix,
            help: 'a folder ends with /',
            complete: (text) => completedKey(this.#ui, this.place, text),
          },
        ],
        submit: async ({ key = '' }) => this.goTo(key),
      }),
    );
  }

  /** Opens a folder. For an object key, opens its folder and moves the cursor to the object. */
  goTo(key: string): void {
    const prefix = folderOf(key);
    this.#change(() => {
      if (prefix !== this.#prefix) this.#levels.push(this.#levelOf(prefix));
    });
    if (key === prefix) return;
    void this.#ui.attempt(() => this.#seek(key));
  }

  async #seek(key: string): Promise<void> {
    const level = this.#level;
    const isThere = await this.#ui.work('going there', ({ abort }) =>
      level.seek(objectId(key), abort.signal),
    );
    if (isThere) return;
    const text = this.#ui.look.name(`${key} does not exist in ${bucketText(this.place)}`);
    this.#ui.toasts.add('attention', text, { isRefusal: true });
  }

  #changed(returned?: string): void {
    this.list.clearMarks();
    this.#known.expire();
    if (returned?.startsWith(this.#prefix)) this.#level.goTo(rowIdOf(returned, this.#prefix));
    void this.#level.refresh();
  }

  #toggleDeleted(): void {
    this.#showDeleted = !this.#showDeleted;
    this.list.clearMarks();
    void this.#level.restart();
  }
}

/** Returns the prefix that `goTo` opens for a key or a prefix. */
export function folderOf(key: string): string {
  return key.endsWith(DELIMITER) ? key : parentOf(`${key}${DELIMITER}`);
}
