/** Lists the buckets of all stores. */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { listAndDetail } from '../../widgets/list-detail.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { about } from '../../commands/about.ts';
import type { Question } from '../../commands/command.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { live } from '../../commands/live.ts';
import { Lookups } from '../../data/lookups.ts';
import { forgetBucket, noteBucket } from '../../data/notes.ts';
import { Polling } from '../../data/polling.ts';
import { asked, bucketText, isLocal } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { countText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { openNewTarget } from '../../acts/new-target.ts';
import { SettingsScreen } from '../settings/settings-screen.ts';
import { UsageScreen } from '../usage/usage-screen.ts';
import { bucketFacts } from './bucket-detail.ts';
import { askBucket, openBucket } from '../objects/open-bucket.ts';
import { askFacts, bucketId, BucketLists } from './bucket-rows.ts';
import type { BucketFacts, BucketRow } from './bucket-rows.ts';
import { BUCKET_COLUMNS, headsOf } from './columns.ts';
import type { ShownBucket } from './columns.ts';
import { openCreateForm } from './create-bucket.ts';

/** The interval for reloading the list, because no event reports buckets that other clients create. */
const READ_AGAIN_MS = 30_000;

export class BucketsScreen implements Screen {
  readonly scope = 'buckets';
  readonly crumbs = ['buckets'];
  readonly list: ListModel<ShownBucket>;
  readonly #ui: Ui;
  readonly #facts: Lookups<BucketRow, BucketFacts>;
  readonly #polling: Polling;
  readonly #lists: BucketLists;
  #rows: readonly BucketRow[] = [];
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.#lists = new BucketLists(ui);
    this.list = new ListModel<ShownBucket>({
      changes: ui.changes,
      orders: [
        { name: 'target', compare: () => 0 },
        { name: 'name', compare: (a, b) => (a.bucket < b.bucket ? -1 : 1) },
        { name: 'size', compare: (a, b) => sizeOf(b) - sizeOf(a) },
        { name: 'objects', compare: (a, b) => objectsOf(b) - objectsOf(a) },
        { name: 'versions', compare: (a, b) => versionsOf(b) - versionsOf(a) },
        { name: 'creation', compare: (a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0) },
      ],
    });
    this.#facts = new Lookups<BucketRow, BucketFacts>({
      clock: ui.clock,
      id: bucketId,
      ask: (row, signal) => askFacts(ui, row, signal),
      changed: () => this.#take(),
    });
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => READ_AGAIN_MS,
      read: (signal) => this.#read(signal),
      changed: () => this.#take(),
    });
  }

  readonly actions: ActionsFor<'buckets'> = {
    'buckets.create': { run: () => this.#create() },
    'buckets.newTarget': {
      run: () => openNewTarget(this.#ui, { added: () => this.#polling.start() }),
    },
    'buckets.openByName': { run: () => askBucket(this.#ui) },
    'buckets.settings': {
      why: () => this.#whyNone(),
      run: () => {
        const { current } = this.list;
        if (current) this.#ui.router.open(new SettingsScreen(this.#ui, placeOf(current)));
      },
    },
    'buckets.delete': about(
      () => this.list.current,
      () => this.#whyNone() ?? '',
      {
        why: () => this.#whyNone() ?? this.#whyNotDeleted(),
        ask: (bucket) => live((signal) => this.#askDelete(bucket, signal)),
        run: (bucket) => this.#delete(bucket),
      },
    ),
    'buckets.usage': {
      why: () => this.#whyNone(),
      run: () => {
        const { current } = this.list;
        if (!current) return;
        const place = placeOf(current);
        const showObjects = (prefix: string) => openBucket(this.#ui, place, prefix);
        this.#ui.router.open(new UsageScreen(this.#ui, { place, showObjects }));
      },
    },
    'buckets.forget': {
      why: () =>
        this.list.current?.isNoted ? undefined : 'only a bucket opened by name can be forgotten',
      run: () => this.#forget(),
    },
  };

  show(): void {
    this.hide();
    this.#stopListening = this.#ui.link.listen(['job.changed', 'job.removed'], () =>
      this.#ui.changes.soon(this.#take),
    );
    this.#polling.start();
  }

  hide(): void {
    this.#polling.stop();
    this.#facts.stop();
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  open(): void {
    const { current } = this.list;
    if (current) openBucket(this.#ui, placeOf(current));
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    if (!current) return [];
    return [
      { name: 'name', text: current.bucket },
      { name: 'URI', text: `s3://${current.bucket}` },
      { name: 'JSON', text: JSON.stringify(current) },
    ];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const { problem, isFirst } = this.#polling;
    const failures = problem === undefined ? this.#lists.problems : [problem];
    const { empty: without } = this.#lists;
    const problems = [
      ...failures.map((each) => look.paint('bad', ` ! ${look.name(each)}`)),
      ...(without.length === 0 || this.list.rows.count === 0
        ? []
        : [
            look.paint(
              'dim',
              ` no buckets at ${look.name(without.join(', '))}: press n to create one`,
            ),
          ]),
    ];
    const empty = isFirst ? this.#ui.link.unreadText : 'no buckets; press n to create one';
    const { unheard } = this.#lists;
    const waits = isFirst && unheard.length > 0 ? `waiting for ${unheard.join(', ')}` : '';
    const right = look.paint('dim', look.name(waits));
    const { current } = this.list;
    const lines = listAndDetail(
      { columns, rows: rows - problems.length },
      {
        list: this.list,
        listTitle: 'Buckets',
        table: { columns: BUCKET_COLUMNS, empty },
        title: look.name(current?.bucket ?? ''),
        details: (inner) => (current ? bucketFacts(current, inner.columns, look) : []),
        below: 0,
        legend: right,
      },
      look,
    );
    return [...lines, ...problems];
  }

  seen(): void {
    this.#facts.want(this.list.inView());
  }

  async #read(signal: AbortSignal): Promise<void> {
    await this.#lists.read(signal, this.#take);
    this.#facts.expire();
  }

  readonly #take = (): void => {
    this.#rows = this.#lists.rows();
    const shown = this.#rows.map((row) => {
      return { ...row, jobs: this.#ui.status.jobsOf(row), facts: this.#facts.of(row) };
    });
    this.list.showAll(shown, bucketId, (row) => `${bucketText(row)} ${row.jobs.join(' ')}`);
  };

  #whyNone(): string | undefined {
    return this.list.current ? undefined : 'no bucket is selected';
  }

  #whyNotDeleted(): string | undefined {
    const jobs = this.list.current?.jobs ?? [];
    return jobs.length > 0 ? `job ${jobs.join(', ')} mirrors into it` : undefined;
  }

  #create(): void {
    openCreateForm(this.#ui, {
      targets: this.#lists.targets,
      created: (place) => this.#created(place),
    });
  }

  #created(place: BucketPlace): void {
    this.#lists.add(place);
    this.#take();
    this.list.moveToId(bucketId(place));
    this.#polling.start();
  }

  async #askDelete(bucket: ShownBucket, signal?: AbortSignal): Promise<Question> {
    const usage = await this.#usageOf(bucket, signal);
    const holds = usage
      ? `It contains ${countText(usage.objects, 'version')}.`
      : 'The number of its versions is not known.';
    return {
      title: `Delete the bucket ${this.#ui.look.name(bucketText(bucket))}?`,
      facts: [
        holds,
        'Only an empty bucket can be deleted: delete all versions first. Its settings are deleted, too, and another user may take the name.',
      ],
      type: bucket.bucket,
    };
  }

  /**
   * Returns a bucket's current usage. For a bucket on a remote service, returns the value from the list, which may be
   * older.
   */
  async #usageOf(bucket: ShownBucket, signal?: AbortSignal): Promise<BucketFacts['usage']> {
    if (!isLocal(bucket)) return this.#facts.of(bucket)?.usage;
    const place = asked(placeOf(bucket));
    return (await this.#ui.call('buckets.describe', place, { signal })).usage;
  }

  async #delete(bucket: ShownBucket): Promise<void> {
    await this.#ui.call('buckets.delete', asked(placeOf(bucket)));
    if (bucket.isNoted) await forgetBucket(this.#ui.outside.notesFile, bucket);
    this.#ui.notify(`deleted the bucket ${bucketText(bucket)}`);
    this.#polling.start();
  }

  async #forget(): Promise<void> {
    const { current } = this.list;
    if (!current) return;
    await forgetBucket(this.#ui.outside.notesFile, current);
    this.#ui.notifyUndoable(`forgot ${bucketText(current)}`, async () => {
      await noteBucket(this.#ui.outside.notesFile, current);
      this.#polling.start();
    });
    this.#polling.start();
  }
}

function placeOf({ target, bucket }: BucketPlace): BucketPlace {
  return { target, bucket };
}

const sizeOf = ({ facts }: ShownBucket): number => facts?.usage?.sizeBytes ?? -1;
const objectsOf = ({ facts }: ShownBucket): number => (facts && headsOf(facts)?.count) ?? -1;
const versionsOf = ({ facts }: ShownBucket): number => facts?.usage?.objects ?? -1;
