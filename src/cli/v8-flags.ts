/**
 * Options of V8 that keep the heap of a long-running process small. V8's defaults suit a program that has the machine for
 * itself. They stand on the command line of every start: of the installed program, of the services, and of a daemon that the
 * dashboard starts.
 */
export const V8_FLAGS = [
  // MiB for each half of the space for new objects. The default is 16, and the space may have three halves.
  '--max-semi-space-size=8',
  // Old objects are collected when they have grown by 40 %. By default, garbage grows to several times the objects in use.
  '--heap-growing-percent=40',
] as const;
