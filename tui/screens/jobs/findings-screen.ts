/** Lists the problems that a verification or a restore test found. */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { Column } from '../../widgets/column-widths.ts';
import type { Actions } from '../../commands/command.ts';
import { countText } from '../../../src/text/amounts.ts';
import type { Look } from '../../theme/look.ts';

export interface Finding {
  readonly path: string;
  readonly what: string;
}

/** The maximum number of findings kept. Limits memory use if most objects in a bucket are damaged. */
const MOST_FINDINGS = 100_000;

const COLUMNS: readonly Column<Finding>[] = [
  { title: 'PATH', width: 'grow', cut: 'middle', cell: ({ path }, look) => look.name(path) },
  {
    title: 'FOUND',
    width: 'fit',
    least: 40,
    most: 200,
    tone: () => 'bad',
    cell: ({ what }, look) => look.name(what),
  },
];

export class FindingsScreen implements Screen {
  readonly scope = 'findings';
  readonly crumbs: readonly string[];
  readonly actions: Actions = {};
  readonly list: ListModel<Finding>;
  readonly #ui: Ui;
  readonly #findings: Finding[] = [];
  #isShown = false;

  constructor(ui: Ui, title: string) {
    this.#ui = ui;
    this.crumbs = ['jobs', title];
    this.list = new ListModel<Finding>({ changes: ui.changes });
  }

  get note(): string {
    return countText(this.#findings.length, 'finding');
  }

  add(finding: Finding): void {
    if (this.#findings.length >= MOST_FINDINGS) return;
    this.#findings.push(finding);
    if (this.#isShown) this.#ui.changes.soon(this.#take);
  }

  show(): void {
    this.#isShown = true;
    this.#take();
  }

  hide(): void {
    this.#isShown = false;
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return current
      ? [
          { name: 'path', text: current.path },
          { name: 'finding', text: current.what },
        ]
      : [];
  }

  draw(area: Area, look: Look): readonly string[] {
    const table = {
      columns: COLUMNS,
      empty: 'no problems found',
    };
    return framedList(area, { list: this.list, title: 'Findings', table }, look);
  }

  readonly #take = (): void => {
    const id = ({ path, what }: Finding) => `${path}\0${what}`;
    this.list.showAll(this.#findings, id, ({ path, what }) => `${path} ${what}`);
  };
}
