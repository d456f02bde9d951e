/**
 * Shows the changes that a job holds for review, with the keys that approve or reject them. Many changes are grouped by
 * folder, and each folder opens its changes.
 */

import { defined } from '../../../src/base/defined.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { live } from '../../commands/live.ts';
import { PagedRows } from '../../data/paged-rows.ts';
import { bytesText, countText } from '../../../src/text/amounts.ts';
import { timeText } from '../../../src/text/time.ts';
import { wrap } from '../../text/width.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { openRestore } from '../restore/open-restore.ts';
import {
  approve,
  approveQuestion,
  heldText,
  reject,
  rejectQuestion,
  sumsOf,
} from './held-answers.ts';
import type { Change, HeldGroup, Review } from './held-answers.ts';
import { changeColumns, GROUP_COLUMNS } from './review-columns.ts';

const PAGE = 1_000;

/**
 * Up to this number, the screen lists the changes themselves, because they are easier to read than a list of folders.
 */
const MOST_LISTED = 20;

const WAYS = 'a applies the changes to the bucket, earlier versions stay; z keeps the objects';

/** The text about the keys, shortened to one line for a small terminal. */
const SHORT_WAYS = 'a applies the changes; z keeps the objects';

/** The height of a frame with the column headings and six rows. */
const LEAST_LIST = 9;

export class ReviewScreen implements Screen {
  readonly scope = 'review';
  readonly crumbs: readonly string[];
  readonly actions: ActionsFor<'review'>;
  readonly #ui: Ui;
  readonly #job: string;
  /** The group whose changes are shown. Undefined for all groups. */
  readonly #within: Pick<HeldGroup, 'folder' | 'isDirect'> | undefined;
  readonly #changes: ListModel<Change>;
  readonly #groups: ListModel<HeldGroup>;
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

  constructor(ui: Ui, job: string, within?: Pick<HeldGroup, 'folder' | 'isDirect'>) {
    this.#ui = ui;
    this.#job = job;
    this.#within = within;
    this.crumbs = ['jobs', job, 'held', within?.folder ?? ''];
    this.#changes = new ListModel<Change>({ changes: ui.changes });
    this.#groups = new ListModel<HeldGroup>({ changes: ui.changes });
    this.#rows = new PagedRows<Change, string>({
      fetch: (after, signal) => this.#fetch(after, signal),
      id: ({ path }) => path,
      text: ({ path, change, why = '' }) => `${change} ${path} ${why}`,
      changed: () => this.#changes.show(this.#rows),
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
          this.#leave();
        },
      },
      'review.restore': { run: () => this.#goBack() },
    };
  }

  get note(): string {
    if (!this.#seen) return '';
    const { total, groups } = this.#seen;
    return `${countText(total, 'change')} held, ${bytesText(sumsOf(groups).bytes)}`;
  }

  get list(): ListModel<HeldGroup> | ListModel<Change> {
    return this.#isGrouped ? this.#groups : this.#changes;
  }

  get #isGrouped(): boolean {
    const { total = 0, groups = [] } = this.#seen ?? {};
    return !this.#within && groups.length > 1 && total > MOST_LISTED;
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
    if (this.#isGrouped) return;
    await this.#rows.loadAll(() => this.#ui.changes.soon(), signal);
  }

  /** Opens the changes of the selected group, or the content that the selected change would delete or replace. */
  open(): void {
    const group = this.#groups.current;
    if (this.#isGrouped) {
      if (group) this.#ui.router.open(new ReviewScreen(this.#ui, this.#job, group));
      return;
    }
    const { current } = this.#changes;
    const job = this.#ui.status.job(this.#job);
    if (!current || !job) return;
    const { target, bucket, prefix } = job;
    const place = { target, bucket, key: prefix + current.path };
    this.#ui.openVersions(place);
  }

  copyables(): readonly Copyable[] {
    const path = this.#isGrouped ? this.#groups.current?.folder : this.#changes.current?.path;
    const digest = this.#seen ? [{ name: 'digest of what is held', text: this.#seen.digest }] : [];
    return [...(path ? [{ name: 'path', text: path }] : []), ...digest];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const whole = this.#headLines(columns, look);
    const most = Math.max(1, rows - LEAST_LIST);
    const head = whole.length <= most ? whole : this.#shortHead(columns, look).slice(0, most);
    const below = { columns, rows: rows - head.length };
    const empty = 'no change is held any more';
    if (this.#isGrouped) {
      const table = { columns: GROUP_COLUMNS, empty };
      const held = { list: this.#groups, title: 'Held changes by folder', table };
      return [...head, ...framedList(below, held, look)];
    }
    const table = { columns: changeColumns(this.#seen?.changes ?? []), empty };
    const held = { list: this.#changes, title: this.#listTitle(look), table };
    return [...head, ...framedList(below, held, look)];
  }

  #listTitle(look: Look): string {
    const within = this.#within;
    if (!within) return 'Held changes';
    const group = this.#seen?.groups?.find(isSame(within));
    const folder = look.name(within.folder);
    return group ? `${folder}  ${heldText(group)}, ${bytesText(group.bytes)}` : folder;
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
    const within = this.#within && { folder: this.#within.folder, isDirect: this.#within.isDirect };
    const withGroups = after === undefined;
    const request = { name: this.#job, limit: PAGE, withGroups, ...defined({ after, within }) };
    const page = await this.#ui.call('jobs.review', request, { signal });
    if (this.#isFresh) {
      this.#seen = page;
      this.#groups.showAll(page.groups ?? [], ({ folder }) => folder);
    } else if (page.digest !== this.#seen?.digest) this.#isOld = true;
    this.#isFresh = false;
    return { rows: page.changes, next: page.next };
  }

  #whyNot(): string | undefined {
    if (!this.#seen) return 'it is still loading';
    if (this.#isOld) return 'the list is outdated: press r to reload';
    return this.#seen.total === 0 && !this.#seen.signs
      ? 'no changes are held for review'
      : undefined;
  }

  async #approve(): Promise<void> {
    if (!this.#seen) return;
    await approve(this.#ui, this.#job, this.#seen.digest);
    this.#leave();
  }

  /** Closes the screen after a decision, and the list of groups below it, because nothing is held any more. */
  #leave(): void {
    this.#ui.router.back();
    if (this.#within) this.#ui.router.back();
  }
}

function isSame(within: Pick<HeldGroup, 'folder' | 'isDirect'>) {
  return ({ folder, isDirect }: HeldGroup) =>
    folder === within.folder && isDirect === within.isDirect;
}

function shortPassedText({ deletes }: NonNullable<Review['passed']>): string {
  return `${countText(deletes, 'delete')} were mirrored before the other deletes were held`;
}

/** Returns how many deletes were done before the job held the changes. */
function passedText({ before, deletes }: NonNullable<Review['passed']>): string {
  const done = `${countText(deletes, 'delete')} ${deletes === 1 ? 'was' : 'were'} mirrored`;
  return `${done} before the other deletes were held; the folder was complete until ${timeText(before)}`;
}
