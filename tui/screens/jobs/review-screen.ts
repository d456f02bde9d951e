/** Lists the changes that a job holds for review, with the keys that approve or reject them. */

import { defined } from '../../../src/base/defined.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { live } from '../../commands/live.ts';
import { PagedRows } from '../../data/paged-rows.ts';
import { countText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';
import { wrap } from '../../text/width.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { openRestore } from '../restore/open-restore.ts';
import { approve, approveQuestion, reject, rejectQuestion } from './held-answers.ts';
import type { Change, Review } from './held-answers.ts';

const PAGE = 1_000;

const COLUMNS: readonly Column<Change>[] = [
  { title: 'CHANGE', width: 9, cell: ({ change }) => change },
  { title: 'PATH', width: 'grow', cut: 'middle', cell: ({ path }, look) => look.name(path) },
];

/** The columns if changes are held because of their content, and not only because of their number. */
const WITH_WHY: readonly Column<Change>[] = [
  ...COLUMNS,
  {
    title: 'WHY',
    width: 'fit',
    least: 34,
    most: 200,
    drop: 1,
    tone: () => 'attention',
    cell: ({ why = 'one of many deletes' }, look) => look.name(why),
  },
];

const WAYS = 'a applies the changes to the bucket, earlier versions stay; z keeps the objects';

/** The text about the keys, shortened to one line for a small terminal. */
const SHORT_WAYS = 'a applies the changes; z keeps the objects';

/** The height of a frame with the column headings and six rows. */
const LEAST_LIST = 9;

export class ReviewScreen implements Screen {
  readonly scope = 'review';
  readonly crumbs: readonly string[];
  readonly list: ListModel<Change>;
  readonly actions: ActionsFor<'review'>;
  readonly #ui: Ui;
  readonly #job: string;
  readonly #rows: PagedRows<Change, string>;
  /** The first page of the held changes that the user has seen. An approval applies only to the digest of this page. */
  #seen: Review | undefined;
  /** Whether the next first page replaces `#seen`. */
  #isFresh = true;
  /** Whether the held changes have changed since the list was loaded. */
  #isOld = false;
  /** The number of held changes in the latest status. */
  #held: number | undefined;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui, job: string) {
    this.#ui = ui;
    this.#job = job;
    this.crumbs = ['jobs', job, 'held'];
    this.list = new ListModel<Change>({ changes: ui.changes });
    this.#rows = new PagedRows<Change, string>({
      fetch: (after, signal) => this.#fetch(after, signal),
      id: ({ path }) => path,
      text: ({ path, change, why = '' }) => `${change} ${path} ${why}`,
      changed: () => this.list.show(this.#rows),
    });
    this.actions = {
      'review.approve': {
        why: () => this.#whyNot(),
        ask: () => this.#seen && approveQuestion(job, this.#seen),
        run: () => this.#approve(),
      },
      'review.reject': {
        why: () => (this.#seen ? undefined : 'it is still loading'),
        ask: () => live(() => rejectQuestion(ui, job)),
        run: async () => {
          await reject(ui, job);
          ui.router.back();
        },
      },
      'review.restore': { run: () => this.#goBack() },
    };
  }

  get note(): string {
    return this.#seen ? `${countText(this.#seen.total, 'change')} held` : '';
  }

  show(): void {
    this.hide();
    const { link, status } = this.#ui;
    const stops = [
      link.onState(({ kind }) => {
        if (kind === 'up') this.#read();
      }),
      status.onChange(() => {
        const held = status.job(this.#job)?.counts.held;
        if (held !== this.#held) void this.#ui.attempt(() => this.#compare());
        this.#held = held;
      }),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
    this.#read();
  }

  hide(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#rows.stop();
  }

  async loadAll(signal: AbortSignal): Promise<void> {
    await this.#rows.loadAll(() => this.#ui.changes.soon(), signal);
  }

  /** Shows the content that the change would delete or replace. */
  open(): void {
    const { current } = this.list;
    const job = this.#ui.status.job(this.#job);
    if (!current || !job) return;
    const { target, bucket, prefix } = job;
    const place = { target, bucket, key: prefix + current.path };
    this.#ui.openVersions(place);
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    const digest = this.#seen ? [{ name: 'digest of what is held', text: this.#seen.digest }] : [];
    return [...(current ? [{ name: 'path', text: current.path }] : []), ...digest];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const whole = this.#headLines(columns, look);
    const most = Math.max(1, rows - LEAST_LIST);
    const head = whole.length <= most ? whole : this.#shortHead(columns, look).slice(0, most);
    const table = {
      columns: this.#seen?.changes.some(({ why }) => why !== undefined) ? WITH_WHY : COLUMNS,
      empty: 'no change is held any more',
    };
    const below = { columns, rows: rows - head.length };
    const held = { list: this.list, title: 'Held changes', table };
    return [...head, ...framedList(below, held, look)];
  }

  /**
   * Returns the lines above the list. Signs of an attack come first, because restoring is then more important than
   * approving.
   */
  #headLines(columns: number, look: Look): string[] {
    const old = this.#isOld
      ? [look.paint('attention', ' the held changes have changed: press r to reload')]
      : [];
    const { signs, reason, passed, total = 0 } = this.#seen ?? {};
    const said = [
      ...(signs
        ? [
            `! ${look.name(signs.reason)}`,
            `last good state: ${timeText(signs.since)}; press t to restore it before you reject`,
          ]
        : []),
      ...(reason === undefined ? [] : [look.name(reason)]),
      ...(passed && passed.deletes > 0 ? [passedText(passed)] : []),
    ];
    const painted = (tone: Tone, texts: readonly string[]) =>
      texts.flatMap((text) => wrap(text, columns - 2)).map((line) => look.paint(tone, ` ${line}`));
    const ways = total === 0 ? [] : painted('dim', [WAYS]);
    return [...painted(signs ? 'bad' : 'attention', said), ...ways, ...old];
  }

  /** Returns one line per fact, the most important first, for a small terminal that must also show the list. */
  #shortHead(columns: number, look: Look): string[] {
    const { signs, reason, passed, total = 0 } = this.#seen ?? {};
    const lines: readonly (readonly [Tone, string | undefined])[] = [
      ['attention', this.#isOld ? 'the held changes have changed: press r to reload' : undefined],
      ['bad', signs && `! ${signs.reason}`],
      ['bad', signs && `last good state: ${timeText(signs.since)}; t restores it`],
      ['attention', reason],
      ['dim', total === 0 ? undefined : SHORT_WAYS],
      ['attention', passed && passed.deletes > 0 ? shortPassedText(passed) : undefined],
    ];
    return lines.flatMap(([tone, text]) =>
      text === undefined ? [] : [look.paint(tone, ` ${look.cut(look.name(text), columns - 2)}`)],
    );
  }

  /** Opens the restore browser at the last time before the anomaly, or before the deletes that were already done. */
  #goBack(): void {
    const { signs, passed } = this.#seen ?? {};
    openRestore(this.#ui, this.#job, '', signs ? signs.since - 1 : passed?.before);
  }

  #read(): void {
    this.#isOld = false;
    this.#isFresh = true;
    void this.#rows.reload();
  }

  /** Reports that other changes are held now. Does not reload the list, because the user is reading it. */
  async #compare(): Promise<void> {
    const { digest } = await this.#ui.call('jobs.review', { name: this.#job, limit: 1 });
    this.#isOld ||= this.#seen !== undefined && digest !== this.#seen.digest;
    this.#ui.changes.soon();
  }

  async #fetch(after: string | undefined, signal: AbortSignal) {
    const request = { name: this.#job, limit: PAGE, ...defined({ after }) };
    const page = await this.#ui.call('jobs.review', request, { signal });
    if (this.#isFresh) this.#seen = page;
    else if (page.digest !== this.#seen?.digest) this.#isOld = true;
    this.#isFresh = false;
    return { rows: page.changes, next: page.next };
  }

  #whyNot(): string | undefined {
    if (!this.#seen) return 'it is still loading';
    if (this.#isOld) return 'the list is outdated: press r to reload';
    return this.#seen.total === 0 && !this.#seen.signs ? 'nothing is held' : undefined;
  }

  async #approve(): Promise<void> {
    if (!this.#seen) return;
    await approve(this.#ui, this.#job, this.#seen.digest);
    this.#ui.router.back();
  }
}

function shortPassedText({ deletes }: NonNullable<Review['passed']>): string {
  return `${countText(deletes, 'delete')} were applied before the others were held`;
}

/** Returns how many deletes were done before the job held the changes. */
function passedText({ before, deletes }: NonNullable<Review['passed']>): string {
  const done = `${countText(deletes, 'delete')} ${deletes === 1 ? 'was' : 'were'} done`;
  return `${done} before the others were held; the folder had all until ${timeText(before)}`;
}
