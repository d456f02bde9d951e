/** The commands on the screen that previews an object. */

import type { Command } from './command.ts';

export const PREVIEW_COMMANDS = [
  { id: 'preview.mode', title: 'text or bytes', keys: ['x'], hint: 'text/hex', offline: true },
  { id: 'preview.more', title: 'read the next 64 KiB', keys: ['m'], hint: 'more' },
  { id: 'preview.save', title: 'save to a file', keys: ['s'], hint: 'save' },
] as const satisfies readonly Command[];
