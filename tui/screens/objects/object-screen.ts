/** Shows all details of one object, one per line. */

import { outcomeOf } from '../../data/outcome.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { TextBox } from '../../widgets/text-box.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { listAndDetail } from '../../widgets/list-detail.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { asked, bucketText } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { whenUp } from '../../data/when-up.ts';
import { grantText } from '../../text/grants.ts';
import type { Look } from '../../theme/look.ts';
import type { BucketKnowledge } from './bucket-knowledge.ts';
import { objectActions } from './object-actions.ts';
import type { StoredRow } from './object-rows.ts';
import { parentOf } from '../../data/place.ts';
import { objectFacts } from './object-facts.ts';
import { PreviewContent } from '../preview/preview-content.ts';
import type { PreviewSubject } from '../preview/preview-content.ts';
import type { Fact } from './object-facts.ts';

const COLUMNS: readonly Column<Fact>[] = [
  {
    title: 'DETAIL',
    width: 'fit',
    least: 18,
    most: 40,
    cut: 'middle',
    cell: ({ name }, look) => look.name(name),
  },
  { title: 'VALUE', width: 'grow', cut: 'middle', cell: ({ value }, look) => look.name(value) },
];

export class ObjectScreen implements Screen {
  readonly scope = 'object';
  readonly crumbs: readonly string[];
  readonly list: ListModel<Fact>;
  readonly actions: ActionsFor<'object'>;
  readonly #ui: Ui;
  readonly #place: BucketPlace;
  readonly #row: StoredRow;
  readonly #known: BucketKnowledge;
  readonly #preview: PreviewContent;
  /** The object whose content is shown beside the details in a wide terminal. */
  #previewed: PreviewSubject | undefined;
  #problem: string | undefined;
  #reading: AbortController | undefined;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui, { place, row, known }: ObjectToShow) {
    this.#ui = ui;
    this.#place = place;
    this.#row = row;
    this.#known = known;
    this.#preview = new PreviewContent(ui);
    this.crumbs = ['buckets', bucketText(place), row.key];
    this.list = new ListModel<Fact>({ changes: ui.changes, canMark: () => false });
    this.actions = objectActions({
      ui,
      place,
      known,
      prefix: () => parentOf(row.key),
      current: () => row,
      chosen: () => [row],
      changed: () => this.#read(),
    });
  }

  get note(): string {
    return this.#known.note;
  }

  show(): void {
    this.hide();
    this.#stopListening = whenUp(this.#ui.link, () => this.#read());
  }

  hide(): void {
    this.#reading?.abort();
    this.#preview.stop();
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  open(): void {
    const { current } = this.list;
    if (!current) return;
    const { look } = this.#ui;
    this.#ui.openOverlay(
      new TextBox(this.#ui, look.name(current.name), [look.name(current.value)]),
    );
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    const { key } = this.#row;
    return [
      ...(current ? [{ name: current.name, text: current.value }] : []),
      { name: 'key', text: key },
      { name: 'URI', text: `s3://${this.#place.bucket}/${key}` },
    ];
  }

  draw(area: Area, look: Look): readonly string[] {
    const empty = look.name(this.#problem ?? this.#ui.link.unreadText);
    const table = { columns: COLUMNS, empty };
    const content = this.#previewed && this.#preview.pane(this.#previewed, 'Preview', look);
    const { title = '', draw: details = () => [] } = content ?? {};
    const shown = { list: this.list, listTitle: 'Object', table, title, details, below: 0 };
    return listAndDetail(area, shown, look);
  }

  seen(): void {
    this.#preview.follow(this.#previewed);
  }

  #read(): void {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    void this.#readFacts(reading.signal);
  }

  /** Loads the details. A user without permission to read the ACL still gets the other details. */
  async #readFacts(signal: AbortSignal): Promise<void> {
    const object = { ...asked(this.#place), key: this.#row.key };
    try {
      const [described, acl] = await Promise.all([
        outcomeOf(this.#ui.call('objects.describe', object, { signal })),
        outcomeOf(this.#ui.call('acl.get', object, { signal })),
      ]);
      this.#problem = described.problem;
      const place = { ...this.#place, key: this.#row.key };
      this.#previewed = described.value && { place, facts: described.value };
      if (described.value === undefined) return this.#take([]);
      const hasLock = this.#known.bucket?.objectLock !== undefined;
      const facts = objectFacts(described.value, { now: this.#ui.clock.now(), hasLock });
      const permissions = acl.value?.grants.map(grantText).join('  ') ?? acl.problem ?? '';
      this.#take([
        { name: 'key', value: this.#row.key },
        ...facts,
        { name: 'owner', value: acl.value?.owner ?? '' },
        { name: 'permissions', value: permissions },
      ]);
    } catch {
      // `outcomeOf` rejects only if the screen was closed or the details were requested again.
    }
  }

  #take(facts: readonly Fact[]): void {
    this.list.showAll(
      facts,
      ({ name }) => name,
      ({ name, value }) => `${name} ${value}`,
    );
  }
}

interface ObjectToShow {
  readonly place: BucketPlace;
  readonly row: StoredRow;
  readonly known: BucketKnowledge;
}
