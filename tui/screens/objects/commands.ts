/** What can be done with the objects of a prefix. */

import type { Command } from '../../keys/command.ts';

export const OBJECTS_COMMANDS: readonly Command[] = [
  { id: 'objects.versions', title: 'versions and locks', keys: ['v'], hint: 'versions' },
  { id: 'objects.lock', title: 'lock', keys: ['L'], danger: 3, hint: 'lock' },
  { id: 'objects.hold', title: 'legal hold on or off', keys: ['H'], danger: 1 },
  { id: 'objects.delete', title: 'delete', keys: ['d'], danger: 3, hint: 'delete' },
  { id: 'objects.showDeleted', title: 'show or hide what is deleted', keys: ['D'] },
];
