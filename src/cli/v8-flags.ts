/** Options of V8 on the command line of each process. V8's defaults suit a program that has the machine for itself. */

/** Options that keep the heap small. Node documents them, and they leave its start as fast as without them. */
export const V8_FLAGS = [
  // MiB for each half of the space for new objects. The default is 16, and the space may have three halves.
  '--max-semi-space-size=8',
  // MiB for old objects. Below 2 GiB, V8 lets the heap grow to at most twice the objects in use; above, to four times.
  '--max-old-space-size=2000',
] as const;
