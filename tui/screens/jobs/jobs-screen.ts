/** Lists all jobs, with the details and latest sync rounds of the job under the cursor. */

import type { JobStatus } from '../../../src/control/shapes.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { listAndDetail } from '../../widgets/list-detail.ts';
import type { CursorContent } from '../../widgets/cursor-content.ts';
import type { ListModel } from '../../widgets/list-model.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import { countText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';
import { jobColumns } from './columns.ts';
import { jobActions } from './job-actions.ts';
import { jobFactLines } from './job-facts.ts';
import { JobScreen } from './job-screen.ts';
import { attentionSign } from './job-text.ts';
import { recentRounds } from './recent-rounds.ts';
import { jobCopyables, jobList, noJobsText, takeJobs } from './jobs-list.ts';

/** The number of detail lines below the list. The job's own screen shows all details. */
const FACTS_BELOW = 8;

export class JobsScreen implements Screen {
  readonly scope = 'jobs';
  readonly crumbs = ['jobs'];
  readonly list: ListModel<JobStatus>;
  readonly actions: ActionsFor<'jobs'>;
  readonly #ui: Ui;
  readonly #rounds: CursorContent<JobStatus>;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui) {
    this.#ui = ui;
    this.list = jobList(ui);
    this.#rounds = recentRounds(ui);
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
    this.#rounds.stop();
  }

  open(): void {
    const { current } = this.list;
    if (current) this.#ui.router.open(new JobScreen(this.#ui, current.name));
  }

  copyables(): readonly Copyable[] {
    return jobCopyables(this.list.current);
  }

  draw(area: Area, look: Look): readonly string[] {
    const { jobs } = this.#ui.status;
    const { current } = this.list;
    const paused = jobs.filter(({ state }) => state === 'paused').length;
    const words = paused > 0 ? `${countText(paused, 'job')} paused ` : '';
    return listAndDetail(
      area,
      {
        list: this.list,
        listTitle: 'Jobs',
        table: {
          columns: jobColumns(this.#ui),
          empty: noJobsText(this.#ui),
          sign: attentionSign,
        },
        title: look.name(current?.name ?? ''),
        details: ({ columns }) => (current ? jobFactLines(current, this.#ui, columns) : []),
        below: FACTS_BELOW,
        content: current && this.#rounds.pane(current, 'Latest rounds', look),
        legend: words,
      },
      look,
    );
  }

  seen(): void {
    this.#rounds.follow(this.list.current);
  }

  readonly #take = (): void => takeJobs(this.list, this.#ui);
}
