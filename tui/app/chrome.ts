/** Draws the lines around each screen: the daemon state, the tabs, the crumbs, the messages and the available keys. */

import { HINT_KINDS } from '../commands/command.ts';
import type { Command, HintKind } from '../commands/command.ts';
import { shownKey } from '../input/key-names.ts';
import { ends, tabText } from '../widgets/layout.ts';
import { countText, rateText } from '../../src/text/amounts.ts';
import { widthOf, wrap } from '../text/width.ts';
import type { Look } from '../theme/look.ts';
import { attentionOf, isAcknowledged } from '../data/attention.ts';
import { knownText } from '../data/last-seen.ts';
import type { Attention } from '../data/attention.ts';
import { TABS } from '../ui/router.ts';
import type { TabName } from '../ui/router.ts';
import type { Toast } from '../ui/toasts.ts';
import type { Ui } from '../ui/ui.ts';
import { shortDurationText } from '../../src/text/time.ts';

/** Returns the header line, such as `holdfast ● running          ↑ 42.1 MB/s   ! 2 alarms, 1 alert  3 conflicts`. */
export function headerLine(ui: Ui, columns: number): string {
  const { look, link } = ui;
  const { state } = link;
  const name = look.paint('accent', look.paint('strong', ' holdfast'));
  if (state.kind === 'connecting') return `${name} ${look.paint('dim', 'connecting')}`;
  if (state.kind === 'down') {
    const text = downText(ui, columns - widthOf(name) - 2);
    return ends(`${name} ${text}`, '', columns, look);
  }
  const right = `${attention(ui)} `;
  const left = `${name} ${runningText(ui)}`;
  // If both ends of the header do not fit, only the dot shows that the daemon is running.
  const fits = widthOf(left) + widthOf(right) < columns;
  return ends(fits ? left : `${name} ${look.paint('good', look.glyphs.dot)}`, right, columns, look);
}

/**
 * Returns the header text while the daemon is down, in the longest form that fits. Each form contains the available
 * keys.
 */
function downText({ look, link, clock }: Ui, room: number): string {
  const { state } = link;
  if (state.kind !== 'down') return '';
  const now = clock.now();
  const waits = Math.max(0, Math.ceil((state.retryAt - now) / 1_000));
  // While no daemon runs, the dashboard retries the connection too often for a useful countdown.
  const isOften = state.why === 'not running';
  const retries = isOften ? 'retrying' : `retry in ${waits} s`;
  const short = isOften ? retries : `retry ${waits} s`;
  const start = state.why === 'not running' || state.why === 'lost' ? ', s start' : '';
  const down = `down ${shortDurationText(now - state.since)}`;
  const texts = [
    `daemon ${down}: ${state.why}, ${retries} (r now${start}, d diagnostics)`,
    `daemon ${down}, ${retries} (r now${start}, d diagnostics)`,
    `${down}, ${short} (r now${start}, d why)`,
  ];
  const text =
    texts.find((each) => widthOf(each) + 2 <= room) ?? `${down} (r retry${start}, d why)`;
  return look.paint('bad', `${look.glyphs.dot} ${text}`);
}

function runningText(ui: Ui): string {
  const dot = ui.look.paint('good', ui.look.glyphs.dot);
  const stopped = ui.status.jobs.filter(
    ({ state }) => state === 'failed' || state === 'root missing',
  );
  return stopped.length === 0 ? `${dot} running` : `${dot} running, ${stopped.length} failed`;
}

function attention(ui: Ui): string {
  const { look, status } = ui;
  const words: string[] = [];
  const rate = ui.transfers.bytesPerSecond(status.jobs);
  if (rate > 0) words.push(`${look.glyphs.up} ${rateText(rate)} `);
  const found = attentionOf(ui);
  if (!found) return words.join('  ');
  const urgent = urgentWords(found);
  if (urgent.length > 0) words.push(look.paint('bad', `! ${urgent.join(', ')}`));
  const conflicts = conflictCount(ui);
  if (conflicts > 0) words.push(look.paint('attention', countText(conflicts, 'conflict')));
  return words.join('  ');
}

/**
 * Returns the counts for the header. Acknowledged alarms are not counted, because the user already knows about them.
 */
function urgentWords({ alarms, alerts, problem }: Attention): string[] {
  const raised = alarms.filter((alarm) => !isAcknowledged(alarm)).length;
  return [
    ...(raised > 0 ? [countText(raised, 'alarm')] : []),
    ...(alerts.length > 0 ? [countText(alerts.length, 'alert')] : []),
    ...(problem === undefined ? [] : ['alerts unknown']),
  ];
}

export function conflictCount(ui: Ui): number {
  return ui.status.jobs.reduce((sum, { counts }) => sum + counts.conflicts, 0);
}

const TAB_TITLES: Readonly<Record<TabName, string>> = {
  dashboard: 'Dash',
  buckets: 'Buckets',
  jobs: 'Jobs',
  conflicts: 'Conflicts',
  nodes: 'Nodes',
  metrics: 'Metrics',
  locks: 'Locks',
  activity: 'Activity',
};

/** The tab titles if the full titles do not fit. */
const SHORT_TITLES: Readonly<Record<TabName, string>> = {
  dashboard: 'Dash',
  buckets: 'Bkts',
  jobs: 'Jobs',
  conflicts: 'Conf',
  nodes: 'Node',
  metrics: 'Metr',
  locks: 'Lock',
  activity: 'Log',
};

/** The tab titles if the short titles do not fit, because the number of conflicts is large. */
const SHORTEST_TITLES = {
  ...SHORT_TITLES,
  buckets: 'Bkt',
  nodes: 'Nod',
  metrics: 'Met',
  locks: 'Lck',
};

/** Returns the longest tab titles with which all tabs fit. `countCells` is the width of the conflict count. */
function titlesFor(countCells: number, columns: number): Readonly<Record<TabName, string>> {
  const fits = (titles: Readonly<Record<TabName, string>>) =>
    TABS.map((tab) => `1 ${titles[tab]}`).join(' ').length + countCells + BRACKETS + 1 < columns;
  if (fits(TAB_TITLES)) return TAB_TITLES;
  return fits(SHORT_TITLES) ? SHORT_TITLES : SHORTEST_TITLES;
}

/** The width of the brackets around the current tab. */
const BRACKETS = 2;

/** Returns the line of tabs, such as `[1 Dash] 2 Buckets 3 Jobs 4 Conflicts(3) …`. */
export function tabsLine(ui: Ui, columns: number): string {
  const { look, router } = ui;
  const conflicts = conflictCount(ui);
  const titles = titlesFor(conflicts > 0 ? `(${conflicts})`.length : 0, columns);
  const words = TABS.map((tab, index) => {
    const count = tab === 'conflicts' && conflicts > 0 ? `(${conflicts})` : '';
    const text = `${index + 1} ${titles[tab]}${count}`;
    if (tab === router.tab) return tabText(text, true, look);
    return `${look.paint('key', String(index + 1))} ${look.paint('dim', text.slice(2))}`;
  });
  return ends(` ${words.join(' ')}`, '', columns, look);
}

/**
 * Returns the path to the current screen and its note. Returns undefined for a tab's root screen if it has no note. While
 * the daemon is down, the note states when the data was last known. The first screen states this itself.
 */
export function crumbsLine(ui: Ui, columns: number): string | undefined {
  const { look, router } = ui;
  const { crumbs, scope } = router.top;
  const own = router.top.note ?? '';
  const note = scope === 'dashboard' ? own : knownText(own, ui);
  if (crumbs.length <= 1 && note === '') return undefined;
  // The root of a folder or bucket has an empty name, so it is omitted.
  const names = crumbs.filter((crumb) => crumb !== '').map((crumb) => look.name(crumb));
  const between = ` ${look.glyphs.crumb} `;
  const room = columns - widthOf(note) - 3;
  const text = look.cut(names.join(between), room, 'middle');
  return ends(` ${look.paint('strong', text)}`, `${look.paint('dim', note)} `, columns, look);
}

/**
 * Returns the keys that are available now, the most used first. The right side shows the pending keys or the running
 * task.
 */
export function footerLine(ui: Ui, pending: string, columns: number): string {
  const { look, router, link } = ui;
  const { top } = router;
  const work = ui.works.at(-1);
  const doing = work ? `${work.title} ${work.progress ?? ''} ` : '';
  const right = look.paint('accent', pending === '' ? doing : `${pending} `);
  // An open dialog receives all keys and shows its own key hints.
  if (ui.overlay) return ends('', right, columns, look);
  const { list } = top;
  const hasRows = list !== undefined && (list.rows.count > 0 || list.rows.more);
  const move = hintIf(hasRows, `${look.glyphs.upDown}/jk move`, 'movement');
  const isUsable = ({ id, offline = false }: Command) => {
    if (id === 'app.open' && !(hasRows && top.open)) return false;
    if (id === 'list.filter' && !hasRows && !list?.filter) return false;
    const action = top.actions[id];
    return action?.why?.() === undefined && (!action || offline || link.whyDown === undefined);
  };
  const hintOf = (id: Command['id']) =>
    id === 'app.quit' && router.canGoBack ? 'back' : top.actions[id]?.hint?.();
  const hints = ui.keymap
    .commandsOf(top.scope, list !== undefined)
    .filter((command) => command.hint !== undefined && isUsable(command))
    .map(({ id, keys, hint, hintKind = 'action' }) => ({
      text: `${shownKey(keys[0] ?? '')} ${hintOf(id) ?? hint}`,
      kind: hintKind,
    }));
  // Without a gap, `q quit` and `restoring` would read as one hint.
  const room = columns - widthOf(right) - (right === '' ? 1 : 3);
  const line = hintsLine([...move, ...hints], room, look);
  return ends(line, right, columns, look);
}

interface Hint {
  readonly text: string;
  readonly kind: HintKind;
}

function hintIf(isShown: boolean, text: string, kind: HintKind): readonly Hint[] {
  return isShown ? [{ text, kind }] : [];
}

/** Returns as many key hints as fit. Among hints of the same kind, the last one is omitted first. */
function hintsLine(hints: readonly Hint[], room: number, look: Look): string {
  const joined = (some: readonly Hint[]) =>
    some.map(({ text }) => ` ${hintText(text, look)}`).join(' ');
  let shown = hints;
  while (shown.length > 1 && widthOf(joined(shown)) > room) {
    const first = HINT_KINDS.find((kind) => shown.some((hint) => hint.kind === kind));
    shown = shown.toSpliced(
      shown.findLastIndex(({ kind }) => kind === first),
      1,
    );
  }
  return joined(shown);
}

/** Returns key hints such as `j k move  / filter` with coloured keys. */
export function hintsText(hints: string, look: Look): string {
  return hints
    .trim()
    .split('  ')
    .map((hint) => hintText(hint, look))
    .join('  ');
}

/** Matches the key at the start of a hint, or several keys of one character each. */
const HINT = /^(\S+(?: \S(?= ))*)(?! of )( .*)$/;

function hintText(hint: string, look: Look): string {
  const [, key, rest] = HINT.exec(hint) ?? [];
  if (key === undefined || rest === undefined) return look.paint('dim', hint);
  return look.paint('key', key) + look.paint('dim', rest);
}

/** Returns the messages in at most `most` lines. If they do not fit, shortens them, and shows the newest. */
export function toastLines(ui: Ui, columns: number, most: number): string[] {
  const { toasts } = ui;
  const lines = (each: number) =>
    toasts.shown.flatMap((toast) => toastText(ui, toast, { columns, lines: each }));
  const fits = [MOST_TOAST_LINES, 2].map(lines).find(({ length }) => length <= most);
  return fits ?? lines(1).slice(-most);
}

function toastText(
  { look, link }: Ui,
  { text, tone, undo }: Toast,
  { columns, lines: most }: { readonly columns: number; readonly lines: number },
): string[] {
  const sign = tone === 'bad' ? '! ' : tone === 'attention' ? '* ' : '';
  const way = undo && link.isUp ? '   u undo' : '';
  const room = columns - 2 - widthOf(way);
  const lines = wrap(sign + text, room);
  const rest = lines.slice(most - 1).join(' ');
  const shown = [...lines.slice(0, most - 1), ...(rest === '' ? [] : [rest])];
  return shown.map((line, index) => {
    const end = index === shown.length - 1 ? way : '';
    return look.paint(tone, ` ${look.cut(line, room)}${end}`);
  });
}

/** Limits the height of a message, so that it does not cover the screen. Most reasons fit. */
const MOST_TOAST_LINES = 3;

/** The smallest terminal size in which a screen is readable. */
export const LEAST = { columns: 60, rows: 16 } as const;

export function tooSmall(columns: number, rows: number, look: Look): string[] {
  return [
    look.cut(`too small: ${columns}x${rows}`, columns),
    ...wrap(
      `enlarge the terminal to ${LEAST.columns}x${LEAST.rows}, or press Ctrl-C three times to quit`,
      columns,
    ),
  ];
}
