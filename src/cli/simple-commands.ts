/**
 * Holds the commands that only call a control method as plain data. The build replaces this module by its value.
 * Otherwise the schemas of all methods would have to be loaded, which takes longer than running a short command.
 */

import { METHODS } from '../control/messages.ts';
import { deriveCommands, type DerivedCommand } from '../control/simple-commands.ts';

export const SIMPLE_COMMANDS: readonly DerivedCommand[] = deriveCommands(METHODS);
