/** What can be done with the objects of a prefix. */

import type { Command } from '../../keys/command.ts';

export const OBJECTS_COMMANDS: readonly Command[] = [
  { id: 'objects.showDeleted', title: 'show or hide what is deleted', keys: ['D'] },
];
