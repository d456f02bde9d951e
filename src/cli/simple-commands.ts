/**
 * Holds the commands that only call a control method, as plain data. The build replaces this module by its value,
 * because deriving it needs the schemas of all methods, and they take longer to load than a short command takes.
 */

import { METHODS } from '../control/messages.ts';
import { deriveCommands, type DerivedCommand } from '../control/simple-commands.ts';

export const SIMPLE_COMMANDS: readonly DerivedCommand[] = deriveCommands(METHODS);
