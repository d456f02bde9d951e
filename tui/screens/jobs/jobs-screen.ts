/** All jobs, and beside them what is known of the chosen one. */

import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Area, Copyable, Screen } from '../../app/screen.ts';
import type { Ui } from '../../app/ui.ts';
import { beside, pane } from '../../components/layout.ts';
import type { ListModel } from '../../components/list-model.ts';
import { facts, listStatus, tableLines } from '../../components/table.ts';
import type { Actions } from '../../keys/command.ts';
import { countOf } from '../../text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { jobColumns } from './columns.ts';
import { jobActions } from './job-actions.ts';
import { jobFacts } from './job-facts.ts';
import { JobScreen } from './job-screen.ts';
import { jobCopyables, jobList, NO_JOBS, takeJobs } from './jobs-list.ts';

/** From there on the chosen job stands beside the list. */
const WIDE = 100;
const DETAIL_SHARE = 0.42;

export class JobsScreen implements Screen {
  readonly scope = 'jobs';
  readonly crumbs = ['jobs'];
  readonly list: ListModel<JobStatus>;
  readonly actions: Actions;
  readonly #ui: Ui;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.list = jobList(ui);
    this.actions = jobActions(ui, {
      current: () => this.list.current,
      all: () => this.list.chosen,
    });
  }

  show(): void {
    this.hide();
    this.#stopListening = this.#ui.status.onChange(() => this.#ui.changes.soon(this.#take));
    this.#take();
  }

  hide(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  open(): void {
    const { current } = this.list;
    if (current) this.#ui.router.open(new JobScreen(this.#ui, current.name));
  }

  copyables(): readonly Copyable[] {
    return jobCopyables(this.list.current);
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    if (columns < WIDE) return this.#listLines(columns, rows, look);
    const width = Math.floor(columns * DETAIL_SHARE);
    const { current } = this.list;
    const options = { title: current?.name ?? '', width, height: rows };
    const detail = current ? facts(jobFacts(current, this.#ui, look), look) : [];
    return beside([this.#listLines(columns - width, rows, look), pane(detail, options, look)]);
  }

  #listLines(width: number, rows: number, look: Look): string[] {
    const { jobs } = this.#ui.status;
    const paused = jobs.filter(({ state }) => state === 'paused').length;
    const words = paused > 0 ? `${countOf(paused, 'job')} paused ` : '';
    const table = {
      columns: jobColumns(this.#ui, width),
      width,
      height: rows - 1,
      empty: NO_JOBS,
    };
    return [...tableLines(this.list, table, look), listStatus(this.list, width, look, words)];
  }

  readonly #take = (): void => takeJobs(this.list, this.#ui);
}
