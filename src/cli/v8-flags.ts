/** Options of V8, given on the command line, that keep the heap small. V8's defaults suit a program that has the machine for itself. */

/** Options of each command. Node documents them, and they leave its start as fast as without them. */
export const V8_FLAGS = [
  // MiB for each half of the space for new objects. The default is 16, and the space may have three halves.
  '--max-semi-space-size=8',
] as const;

/** Options of a daemon that a service manager or the dashboard starts. */
export const DAEMON_V8_FLAGS = [
  ...V8_FLAGS,
  // Old objects are collected when they have grown by 40 %. By default, garbage grows to several times the objects in use.
  // V8 refuses code that was compiled under another value, such as Node's own modules, so that the start takes longer.
  '--heap-growing-percent=40',
] as const;
