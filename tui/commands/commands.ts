/** The commands that are available on every screen or in every list. */

import type { Command } from './command.ts';

export const EVERYWHERE = [
  { id: 'app.help', title: 'help of this screen', keys: ['?'], hint: 'help', hintKind: 'help' },
  {
    id: 'app.palette',
    title: 'command palette',
    keys: [':'],
    hint: 'command',
    hintKind: 'general',
  },
  { id: 'app.open', title: 'open', keys: ['enter', 'l', 'right'], hint: 'open', hintKind: 'open' },
  {
    id: 'app.back',
    title: 'back: overlay, filter, marks, then screen',
    keys: ['esc', 'h', 'left', 'backspace'],
  },
  { id: 'app.pane', title: 'next pane', keys: ['tab'] },
  { id: 'app.previousPane', title: 'previous pane', keys: ['shift-tab'] },
  { id: 'app.refresh', title: 'refresh', keys: ['r'] },
  { id: 'app.redraw', title: 'redraw the screen', keys: ['ctrl-l'] },
  { id: 'app.suspend', title: 'suspend to the shell', keys: ['ctrl-z'] },
  {
    id: 'app.quit',
    title: 'back, or quit at the top',
    keys: ['q'],
    hint: 'quit',
    hintKind: 'open',
  },
] as const satisfies readonly Command[];

export const LIST = [
  { id: 'list.down', title: 'down', keys: ['j', 'down'] },
  { id: 'list.up', title: 'up', keys: ['k', 'up'] },
  { id: 'list.first', title: 'first row (with a count: that row)', keys: ['g g', 'home'] },
  { id: 'list.last', title: 'last row (with a count: that row)', keys: ['G', 'end'] },
  { id: 'list.halfDown', title: 'half a page down', keys: ['ctrl-d'] },
  { id: 'list.halfUp', title: 'half a page up', keys: ['ctrl-u'] },
  { id: 'list.pageDown', title: 'a page down', keys: ['pagedown', 'ctrl-f'] },
  { id: 'list.pageUp', title: 'a page up', keys: ['pageup', 'ctrl-b'] },
  { id: 'list.mark', title: 'mark the row', keys: ['space'] },
  { id: 'list.markAll', title: 'mark all rows', keys: ['*'] },
  { id: 'list.unmark', title: 'clear the marks', keys: ['\\'] },
  {
    id: 'list.filter',
    title: 'filter (!x not, re: expression)',
    keys: ['/'],
    hint: 'filter',
    hintKind: 'general',
  },
  { id: 'list.sort', title: 'sort', keys: ['o'] },
  { id: 'list.copy', title: 'copy', keys: ['y'] },
] as const satisfies readonly Command[];
