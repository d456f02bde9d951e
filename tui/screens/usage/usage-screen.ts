/** Shows what uses the space in a bucket: its folders by size, and the age of their versions. */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { listAndDetail } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { asked, bucketText } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { Polling } from '../../data/polling.ts';
import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import { recentText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { parentOf } from '../../data/place.ts';
import { LifecycleScreen } from '../settings/lifecycle-screen.ts';
import { KeepRulesScreen } from './keep-rules-screen.ts';
import { ageLines, nameOf, ORDERS, totalBytes, usageColumns, usageRows } from './usage-rows.ts';
import type { Sizes, Sums, UsageRow } from './usage-rows.ts';

const COUNTING_MS = 1_000;
const COUNTED_MS = 10_000;
const DETAIL_LINES = 8;

interface Usage {
  readonly place: BucketPlace;
  /** The folder that the screen opens first. Absent for the whole bucket. */
  readonly prefix?: string;
  /** Opens the object list of a folder. */
  readonly showObjects: (prefix: string) => void;
}

export class UsageScreen implements Screen {
  readonly scope = 'usage';
  readonly list: ListModel<UsageRow>;
  readonly #ui: Ui;
  readonly #place: BucketPlace;
  readonly #polling: Polling;
  readonly #showObjects: Usage['showObjects'];
  #prefix: string;
  /** The folder that the user came from. */
  readonly #start: string;
  #sizes: Sizes | undefined;
  #count: 'again' | 'missing' = 'missing';
  /** The folder that the cursor moves to when its parent has been loaded. */
  #cameFrom: string | undefined;

  constructor(ui: Ui, { place, prefix = '', showObjects }: Usage) {
    this.#ui = ui;
    this.#place = place;
    this.#prefix = prefix;
    this.#start = prefix;
    this.#showObjects = showObjects;
    this.list = new ListModel<UsageRow>({
      changes: ui.changes,
      orders: ORDERS,
      above: () => (this.#prefix === '' ? 0 : 1),
      canMark: () => false,
    });
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => (this.#sizes?.isCounting ? COUNTING_MS : COUNTED_MS),
      read: (signal) => this.#read(signal),
      changed: () => ui.changes.soon(),
    });
  }

  readonly actions: ActionsFor<'usage'> = {
    'usage.recount': {
      why: () => (this.#sizes?.isCounting ? 'it is still being counted' : undefined),
      run: () => {
        this.#count = 'again';
        this.#polling.start();
      },
    },
    'usage.objects': {
      run: () => {
        const { current } = this.list;
        this.#showObjects(current?.kind === 'folder' ? current.prefix : this.#prefix);
      },
    },
    'usage.keep': {
      why: () => (this.#job === undefined ? 'no job backs up to this bucket' : undefined),
      run: () => {
        if (this.#job !== undefined) this.#ui.router.open(new KeepRulesScreen(this.#ui, this.#job));
      },
    },
    'usage.lifecycle': {
      run: () => this.#ui.router.open(new LifecycleScreen(this.#ui, this.#place)),
    },
  };

  get crumbs(): readonly string[] {
    const folder = this.#prefix === '' ? [] : [this.#prefix];
    return ['buckets', bucketText(this.#place), ...folder, 'sizes'];
  }

  get note(): string {
    const { isCounting, listed, countedAt, hasChanged } = this.#sizes ?? {};
    if (isCounting) return `counting: ${countText(listed ?? 0, 'version')}`;
    if (countedAt === undefined) return '';
    const at = recentText(countedAt, this.#ui.clock.now());
    return `counted ${at}${hasChanged ? ', changed since' : ''}`;
  }

  show(): void {
    this.#polling.start();
  }

  hide(): void {
    this.#polling.stop();
  }

  open(): void {
    const { current } = this.list;
    if (current?.kind === 'up') this.#goUp();
    if (current?.kind === 'folder') this.#goTo(current.prefix);
  }

  back(): boolean {
    const isBelow = this.#prefix !== this.#start && this.#prefix.startsWith(this.#start);
    if (isBelow) this.#goUp();
    return isBelow;
  }

  #goUp(): void {
    const from = this.#prefix;
    this.#goTo(parentOf(from));
    this.#cameFrom = from;
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    if (!current || current.kind === 'up') return [];
    return [
      ...(current.kind === 'folder' ? [{ name: 'prefix', text: current.prefix }] : []),
      { name: 'JSON', text: JSON.stringify(current) },
    ];
  }

  draw(area: Area, look: Look): readonly string[] {
    const { folder } = this.#sizes ?? {};
    const columns = usageColumns(folder ? totalBytes(folder) : 0, this.#prefix);
    const { current } = this.list;
    const shown = current && current.kind !== 'up' ? current.sums : folder;
    return listAndDetail(
      area,
      {
        list: this.list,
        listTitle: 'Folders',
        table: { columns, empty: look.name(this.#empty) },
        title: current?.kind === 'folder' ? look.name(current.prefix) : 'Versions by age',
        details: ({ columns: width }) => (shown ? detailLines(shown, width, look) : []),
        below: DETAIL_LINES,
        legend: this.#said(look),
      },
      look,
    );
  }

  get #job(): string | undefined {
    return this.#ui.status.jobsOf(this.#place)[0];
  }

  get #empty(): string {
    const problem = this.#polling.problem ?? this.#sizes?.error;
    if (problem !== undefined) return problem;
    if (this.#sizes?.isDeepest)
      return 'the bucket has too many folders to count the subfolders separately';
    return this.#sizes?.countedAt === undefined ? 'counting' : 'empty';
  }

  #said(look: Look): string {
    const { folder, error, moreFolders = 0 } = this.#sizes ?? {};
    if (error !== undefined) return look.paint('bad', `${look.cut(look.name(error), 60)} `);
    const more = moreFolders > 0 ? `   ${numberText(moreFolders)} smaller folders not shown` : '';
    return folder ? `${bytesText(totalBytes(folder))} in all${more} ` : '';
  }

  #goTo(prefix: string): void {
    this.#prefix = prefix;
    this.#sizes = undefined;
    this.#cameFrom = undefined;
    this.list.showAll([], nameOf);
    this.list.moveToStart();
    this.#polling.start();
    this.#ui.changes.now();
  }

  async #read(signal: AbortSignal): Promise<void> {
    const [prefix, count] = [this.#prefix, this.#count];
    this.#count = 'missing';
    const sizes = await this.#ui.call(
      'folders.sizes',
      { ...asked(this.#place), prefix, count },
      { signal },
    );
    this.#sizes = sizes;
    this.list.showAll(usageRows(sizes, prefix), nameOf);
    if (this.#cameFrom !== undefined) this.list.moveToId(this.#cameFrom);
    this.#cameFrom = undefined;
  }
}

function detailLines(sums: Sums, columns: number, look: Look): string[] {
  const { objects, bytes, olderVersions, olderBytes, deleteMarkers } = sums;
  const markers = deleteMarkers > 0 ? `, ${countText(deleteMarkers, 'delete marker')}` : '';
  return [
    `current  ${bytesText(bytes)} in ${countText(objects, 'object')}`,
    `older    ${bytesText(olderBytes)} in ${countText(olderVersions, 'version')}${markers}`,
    '',
    ...ageLines(sums, columns, look),
  ];
}
