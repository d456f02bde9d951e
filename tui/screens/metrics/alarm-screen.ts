/** Shows one alarm: its condition, its state and its history. */

import type { Result } from '../../../src/control/messages.ts';
import type { AlarmShape } from '../../../src/control/methods/monitoring.ts';
import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { facts } from '../../widgets/facts.ts';
import { listPane } from '../../widgets/list-detail.ts';
import { framed } from '../../widgets/panes.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { TextBox } from '../../widgets/text-box.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { PagedRows } from '../../data/paged-rows.ts';
import { whenUp } from '../../data/when-up.ts';
import { shortDurationText, timeText } from '../../../src/text/time.ts';
import type { Look } from '../../theme/look.ts';
import { alarmActions } from './alarm-actions.ts';
import { actionsText, conditionText, STATE_TONES } from './alarm-text.ts';

type Entry = Result<'alarms.history'>['entries'][number];

const PAGE = 100;

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'AT', tone: 'date', width: 19, cell: ({ at }) => timeText(at) },
  { title: 'KIND', width: 13, drop: 1, cell: ({ kind }) => kind },
  { title: 'WHAT', width: 'grow', cell: ({ summary }, look) => look.name(summary) },
];

export class AlarmScreen implements Screen {
  readonly scope = 'alarm';
  readonly crumbs: readonly string[];
  readonly list: ListModel<Entry>;
  readonly actions: ActionsFor<'alarm'>;
  readonly #ui: Ui;
  readonly #rows: PagedRows<Entry, number>;
  #alarm: AlarmShape;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui, alarm: AlarmShape) {
    this.#ui = ui;
    this.#alarm = alarm;
    this.crumbs = ['metrics', 'alarms', alarm.name];
    this.list = new ListModel<Entry>({ changes: ui.changes });
    this.#rows = new PagedRows<Entry, number>({
      fetch: (before, signal) => this.#fetch(before, signal),
      id: ({ id }) => String(id),
      text: ({ kind, summary }) => `${kind} ${summary}`,
      changed: () => this.list.show(this.#rows),
    });
    this.actions = alarmActions(ui, {
      current: () => this.#alarm,
      changed: () => this.show(),
      gone: () => void ui.router.back(),
    });
  }

  get note(): string {
    return this.#alarm.state;
  }

  show(): void {
    this.hide();
    const { link } = this.#ui;
    const stop = link.listen(['alarm.changed'], ({ event }) => {
      if (event.type === 'alarm.changed' && event.alarm.name === this.#alarm.name)
        void this.#read();
    });
    const stopReads = whenUp(link, () => void this.#read());
    this.#stopListening = () => {
      stop();
      stopReads();
    };
  }

  hide(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#rows.stop();
  }

  /** Shows the whole history entry, because its summary may be longer than its row. */
  open(): void {
    const { current } = this.list;
    if (!current) return;
    const { look } = this.#ui;
    const lines = [`${timeText(current.at)}  ${current.kind}`, '', look.name(current.summary)];
    this.#ui.openOverlay(new TextBox(this.#ui, look.name(this.#alarm.name), lines));
  }

  copyables(): readonly Copyable[] {
    return [
      { name: 'name', text: this.#alarm.name },
      { name: 'JSON', text: JSON.stringify(this.#alarm, undefined, 2) },
    ];
  }

  async #read(): Promise<void> {
    await this.#ui.attempt(async () => {
      this.#alarm = await this.#ui.call('alarms.get', { name: this.#alarm.name });
      await this.#rows.reload();
    });
  }

  async #fetch(before: number | undefined, signal: AbortSignal) {
    const question = {
      name: this.#alarm.name,
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
    };
    const { entries } = await this.#ui.call('alarms.history', question, { signal });
    return { rows: entries, next: entries.length < PAGE ? undefined : entries.at(-1)?.id };
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const lines = alarmFacts(this.#alarm, columns - 4, look).map((line) => ` ${line}`);
    const height = Math.min(lines.length + 1, rows - 5);
    const table = { columns: COLUMNS, empty: 'no change yet' };
    const history = listPane(this.list, { title: 'History', table, width: columns }, look);
    const known = { title: look.name(this.#alarm.name), width: columns, draw: () => lines };
    return framed(
      [
        { height, panes: [known] },
        { height: rows - height, panes: [history] },
      ],
      look,
    );
  }
}

function alarmFacts(alarm: AlarmShape, width: number, look: Look): string[] {
  const { datapointsToAlarm, evaluationPeriods, periodMs, treatMissingData, acknowledgedAt } =
    alarm;
  const state = look.paint(STATE_TONES[alarm.state], alarm.state);
  const asleep = alarm.frozenState === undefined ? '' : ` (asleep; was ${alarm.frozenState})`;
  const known = acknowledgedAt === undefined ? '' : ` acknowledged ${timeText(acknowledgedAt)}`;
  const actions = (name: keyof AlarmShape['actions']) =>
    look.name(actionsText(alarm.actions[name]));
  return facts(
    [
      ['state', `${state}${asleep} since ${timeText(alarm.changedAt)}${known}`],
      ['reason', look.name(alarm.reason)],
      ['bucket', look.name(alarm.bucket)],
      ['condition', conditionText(alarm)],
      [
        'periods',
        `${datapointsToAlarm} of ${evaluationPeriods}, ${shortDurationText(periodMs)} each`,
      ],
      ['missing data', `treated as ${treatMissingData}`],
      ['on ALARM', actions('ALARM')],
      ['on OK', actions('OK')],
      ['on no data', actions('INSUFFICIENT_DATA')],
      ['metric', alarm.metric],
      ['description', look.name(alarm.description ?? '')],
    ],
    look,
    width,
  );
}
