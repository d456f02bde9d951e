/** Lists the settings of a bucket, one per line. */

import { isAbort } from '../../../src/base/errors.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { outcomeOf } from '../../data/outcome.ts';
import { bucketText, isLocal } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { whenUp } from '../../data/when-up.ts';
import { countText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { CORS, POLICY, RIGHTS } from './access-settings.ts';
import { LifecycleScreen } from './lifecycle-screen.ts';
import { DEFAULT_LOCK, VERSIONING } from './lock-settings.ts';
import { MONITORING, QUOTA, TAGS, WEBSITE } from './other-settings.ts';
import { bucketAt, NONE, unlessUnset } from './setting.ts';
import type { Setting, SettingContext } from './setting.ts';

const LIFECYCLE: Setting = {
  name: 'lifecycle',
  read: async (at, signal) => {
    const answer = await unlessUnset(at.ui.call('lifecycle.get', bucketAt(at), { signal }));
    const rules = answer?.rules ?? [];
    const on = rules.filter(({ enabled }) => enabled).length;
    const isOn = on === rules.length ? 'all on' : `${on} on`;
    return rules.length === 0 ? NONE : `${countText(rules.length, 'rule')}, ${isOn}`;
  },
  edit: ({ ui, place }) => ui.router.open(new LifecycleScreen(ui, place)),
};

const SETTINGS: readonly Setting[] = [
  VERSIONING,
  DEFAULT_LOCK,
  RIGHTS,
  POLICY,
  LIFECYCLE,
  CORS,
  WEBSITE,
  TAGS,
  QUOTA,
  MONITORING,
];

interface Row {
  readonly setting: Setting;
  /** The setting's value. Undefined until it is loaded. */
  readonly value?: string | undefined;
  readonly problem?: string | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'SETTING', width: 14, cell: ({ setting }) => setting.name },
  {
    title: 'VALUE',
    width: 'grow',
    cell: ({ value, problem }, look) => look.name(value ?? problem ?? '') || look.glyphs.ellipsis,
    tone: ({ problem }) => (problem === undefined ? undefined : 'attention'),
  },
];

export class SettingsScreen implements Screen {
  readonly scope = 'settings';
  readonly crumbs: readonly string[];
  readonly list: ListModel<Row>;
  readonly #at: SettingContext;
  #rows: readonly Row[];
  #reading: AbortController | undefined;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui, place: BucketPlace) {
    this.#at = { ui, place, changed: () => this.#read() };
    this.crumbs = ['buckets', bucketText(place), 'settings'];
    this.list = new ListModel<Row>({ changes: ui.changes, canMark: () => false });
    this.#rows = SETTINGS.filter((each) => isLocal(place) || each.isLocal !== true).map(
      (setting) => ({ setting }),
    );
    this.#take();
  }

  readonly actions: ActionsFor<'settings'> = {
    'settings.edit': { run: () => this.open() },
  };

  show(): void {
    this.hide();
    this.#stopListening = whenUp(this.#at.ui.link, () => this.#read());
  }

  hide(): void {
    this.#reading?.abort();
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  async open(): Promise<void> {
    const { ui } = this.#at;
    if (ui.link.whyDown !== undefined) return ui.warn(ui.link.whyDown);
    await this.list.current?.setting.edit(this.#at);
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current ? [{ name: current.setting.name, text: current.value ?? '' }] : [];
  }

  draw(area: Area, look: Look): readonly string[] {
    const table = { columns: COLUMNS, empty: '' };
    return framedList(area, { list: this.list, title: 'Settings', table }, look);
  }

  #read(): void {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    for (const { setting } of this.#rows) void this.#readOne(setting, reading.signal);
  }

  async #readOne(setting: Setting, signal: AbortSignal): Promise<void> {
    try {
      const outcome = await outcomeOf(setting.read(this.#at, signal));
      if (signal.aborted) return;
      this.#rows = this.#rows.map((row) =>
        row.setting === setting ? { setting, ...outcome } : row,
      );
      this.#take();
    } catch (error) {
      if (!isAbort(error)) throw error;
    }
  }

  #take(): void {
    this.list.showAll(this.#rows, ({ setting }) => setting.name);
  }
}
