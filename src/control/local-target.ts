/**
 * Defines the target name of the embedded store. This module has no imports, because every command
 * loads it.
 */

/** The name that selects the embedded store instead of a configured target. */
export const LOCAL_TARGET = 'local';
