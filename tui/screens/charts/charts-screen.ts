/** Shows charts on the whole screen: throughput, lag, versions and requests of one job or all jobs. */

import type { Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { Polling } from '../../data/polling.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Look } from '../../theme/look.ts';
import { framed } from '../../widgets/panes.ts';
import { clamp } from '../../widgets/window.ts';
import { readCharts, recentLines, SPAN_TEXTS, SPANS } from './recent-charts.ts';
import type { RecentChart, SpanName } from './recent-charts.ts';

/** The reload interval. The daemon records a value each minute. */
const AGAIN_MS = 15_000;

export class ChartsScreen implements Screen {
  readonly scope = 'charts';
  readonly actions: ActionsFor<'charts'>;
  readonly #ui: Ui;
  readonly #polling: Polling;
  /** The job whose charts are shown. Undefined for all jobs. */
  #job: string | undefined;
  #span: SpanName = 'hour';
  #charts: readonly RecentChart[] = [];

  constructor(ui: Ui, job?: string) {
    this.#ui = ui;
    this.#job = job;
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => AGAIN_MS,
      read: async (signal) => {
        this.#charts = await readCharts(ui, { span: this.#span, job: this.#job }, signal);
      },
      changed: () => ui.changes.soon(),
    });
    this.actions = {
      'charts.longer': { run: () => this.#changeSpan(1) },
      'charts.shorter': { run: () => this.#changeSpan(-1) },
    };
  }

  get crumbs(): readonly string[] {
    return ['charts', this.#job ?? 'all jobs'];
  }

  readonly note = 'Tab next job';

  show(): void {
    this.#polling.start();
  }

  hide(): void {
    this.#polling.stop();
  }

  /** Switches between the charts for all jobs and the charts for each job. */
  nextPane(step: 1 | -1): void {
    const all = [undefined, ...this.#ui.status.jobs.map(({ name }) => name)];
    const at = all.indexOf(this.#job) + step + all.length;
    this.#job = all[at % all.length];
    this.#charts = [];
    this.show();
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const { problem } = this.#polling;
    const draw = (area: Area) => {
      if (this.#charts.length === 0)
        return [problem === undefined ? ' loading' : ` ${look.name(problem)}`];
      const inner = { columns: area.columns - 2, rows: area.rows };
      return recentLines(this.#charts, inner, look).map((line) => ` ${line}`);
    };
    const title = `${look.name(this.#job ?? 'All jobs')}  ${SPAN_TEXTS[this.#span]}`;
    return framed(
      [{ height: rows, panes: [{ title, width: columns, focused: true, draw }] }],
      look,
    );
  }

  #changeSpan(step: 1 | -1): void {
    this.#span = SPANS[clamp(SPANS.indexOf(this.#span) + step, 0, SPANS.length - 1)] ?? 'hour';
    this.show();
  }
}
