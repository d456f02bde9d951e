/** The commands on the restore screens: the browser, the dry run and the running restore. */

import type { Command } from './command.ts';

export const RESTORE_COMMANDS = [
  {
    id: 'restore.earlier',
    title: 'previous change',
    keys: ['['],
    hint: 'earlier',
    hintKind: 'movement',
  },
  { id: 'restore.later', title: 'next change', keys: [']'], hint: 'later', hintKind: 'movement' },
  { id: 'restore.hourEarlier', title: 'an hour earlier', keys: [','] },
  { id: 'restore.hourLater', title: 'an hour later', keys: ['.'] },
  {
    id: 'restore.dayEarlier',
    title: 'a day earlier',
    keys: ['{'],
    hint: 'day',
    hintKind: 'movement',
  },
  { id: 'restore.dayLater', title: 'a day later', keys: ['}'] },
  { id: 'restore.zoomIn', title: 'a shorter period in the strip of changes', keys: ['+'] },
  { id: 'restore.zoomOut', title: 'a longer period in the strip of changes', keys: ['-'] },
  {
    id: 'restore.time',
    title: 'choose a time (2h ago, 2026-11-20 14:03)',
    keys: ['t'],
    hint: 'time',
  },
  { id: 'restore.now', title: 'show the folder as it is now', keys: ['n'] },
  {
    id: 'restore.restore',
    title: 'restore the marked entries, or the selected one',
    keys: ['R'],
    hint: 'restore',
  },
  { id: 'restore.folder', title: 'restore the whole folder', keys: ['F'] },
  {
    id: 'restore.diff',
    title: 'compare the file with its present content',
    keys: ['='],
    hint: 'diff',
  },
  { id: 'restore.compare', title: 'list the differences from another time', keys: ['D'] },
  {
    id: 'restore.undo',
    title: 'undo: make it current again, also in the bucket',
    keys: ['U'],
    danger: 2,
  },
  { id: 'restore.versions', title: 'versions of the file', keys: ['v'] },
  { id: 'restore.runs', title: 'running and recent restores', keys: ['W'] },
] as const satisfies readonly Command[];

export const PLAN_COMMANDS = [
  { id: 'plan.run', title: 'restore as planned', keys: ['R'], danger: 2, hint: 'restore' },
  {
    id: 'plan.kept',
    title: 'show or hide files that exist already',
    keys: ['s'],
    hint: 'existing',
  },
] as const satisfies readonly Command[];

export const RUN_COMMANDS = [
  {
    id: 'run.stop',
    title: 'stop the restore; restored files stay',
    keys: ['x'],
    danger: 2,
    hint: 'stop',
  },
  {
    id: 'run.again',
    title: 'run it again: it continues where it was interrupted',
    keys: ['R'],
    hint: 'once more',
  },
] as const satisfies readonly Command[];
