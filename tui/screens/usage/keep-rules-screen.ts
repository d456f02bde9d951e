/**
 * Compares how much different pruning rules would remove from a job's bucket, and sets the rule that the user selects.
 */

import { DAY_MS } from '../../../src/base/durations.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { paintedBar, shareBar } from '../../widgets/charts.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { Actions } from '../../commands/command.ts';
import { WholeReading } from '../../data/whole-reading.ts';
import { bytesText, countText, numberText } from '../../../src/text/amounts.ts';
import { durationText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { saveJob } from '../../acts/edit-job.ts';

type Preview = Result<'jobs.keep.preview'>;

interface RuleRow {
  /** The value of the rule in `config.yaml`. */
  readonly keep: unknown;
  readonly text: string;
  readonly isOwn: boolean;
  readonly versions: number;
  readonly bytes: number;
}

export class KeepRulesScreen implements Screen {
  readonly scope = 'keepRules';
  readonly actions: Actions = {};
  readonly list: ListModel<RuleRow>;
  readonly crumbs: readonly string[];
  readonly #ui: Ui;
  readonly #job: string;
  #preview: Preview | undefined;
  readonly #reading: WholeReading;

  constructor(ui: Ui, job: string) {
    this.#ui = ui;
    this.#job = job;
    this.crumbs = ['jobs', job, 'keep rules'];
    this.list = new ListModel<RuleRow>({ changes: ui.changes, canMark: () => false });
    this.#reading = new WholeReading(
      ui.link,
      (signal) => this.#read(signal),
      () => ui.changes.soon(),
    );
  }

  show(): void {
    this.#reading.begin();
  }

  hide(): void {
    this.#reading.leave();
  }

  async open(): Promise<void> {
    const { current } = this.list;
    if (!current) return;
    if (current.isOwn) return this.#ui.notify(`${this.#job} has this rule`);
    const { settings } = await this.#ui.call('jobs.get', { name: this.#job });
    await saveJob(this.#ui, { name: this.#job, changes: { keep: current.keep }, settings });
    this.#reading.begin();
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const head = this.#headLines().map((line) => ` ${look.cut(line, columns - 2)}`);
    const table = {
      columns: ruleColumns(this.#preview?.bytes ?? 0),
      empty: look.name(this.#reading.problem ?? 'counting versions'),
      sign: ({ isOwn }: RuleRow) => (isOwn ? look.glyphs.marked : undefined),
    };
    const legend = `${look.glyphs.marked} the rule of the job`;
    const rules = { list: this.list, title: 'Rules', table, legend };
    return [...head, ...framedList({ columns, rows: rows - head.length }, rules, look)];
  }

  #headLines(): string[] {
    if (!this.#preview) return [];
    const { versions, bytes, oldestAt } = this.#preview;
    const ageMs = oldestAt === undefined ? 0 : Math.max(0, this.#ui.clock.now() - oldestAt);
    return [
      `${countText(versions, 'version')}, ${bytesText(bytes)}, in ${durationText(ageMs)}`,
      'Each rule would remove, apart from locked versions:',
      ...(ageMs < SHORT_HISTORY_MS ? ['The versions are too new to compare the rules.'] : []),
    ];
  }

  async #read(signal: AbortSignal): Promise<void> {
    const [{ settings }, { keepShape, PREVIEWED_RULES }, { optionText }] = await Promise.all([
      this.#ui.call('jobs.get', { name: this.#job }, { signal }),
      import('../../../src/config/keep.ts'),
      import('../../../src/config/option-value.ts'),
    ]);
    const own = settings['keep'];
    const keeps = [
      ...(own === undefined ? [] : [{ keep: own, text: optionText('keep', own), isOwn: true }]),
      ...Object.values(PREVIEWED_RULES).map((keep) => ({
        keep,
        text: optionText('keep', keep),
        isOwn: false,
      })),
    ];
    const rules = keeps.map(({ keep }) => keepShape.parse(keep));
    const preview = await this.#ui.call(
      'jobs.keep.preview',
      { name: this.#job, rules },
      { signal },
    );
    this.#preview = preview;
    const shown = keeps.map((each, index): RuleRow => {
      const { versions = 0, bytes = 0 } = preview.rules[index] ?? {};
      return Object.assign({ versions, bytes }, each);
    });
    this.list.showAll(shown, ({ text, isOwn }) => `${isOwn}${text}`);
  }
}

/** With a history shorter than this, the rules do not differ, because each rule keeps all recent versions. */
const SHORT_HISTORY_MS = 30 * DAY_MS;

function ruleColumns(all: number): readonly Column<RuleRow>[] {
  return [
    { title: 'KEEP', width: 'grow', whole: 40, cell: ({ text }, look) => look.name(text) },
    { title: 'VERSIONS', width: 9, align: 'right', cell: ({ versions }) => numberText(versions) },
    { title: 'FREED', width: 8, align: 'right', cell: ({ bytes }) => bytesText(bytes) },
    {
      title: 'SHARE',
      width: 12,
      drop: 1,
      cell: ({ bytes }, look, width) => shareBar(all === 0 ? 0 : bytes / all, width, look),
      paint: (cell, _, look) => paintedBar(cell, 'chart', look),
    },
  ];
}
