/** Names the embedded store among the targets. It has no imports, because every command loads it. */

/** Name of the embedded store where the name of a target is expected. */
export const LOCAL_TARGET = 'local';
