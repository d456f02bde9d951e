/** Defines the V8 options for each process. The defaults of V8 suit a program that has the machine to itself. */

/** Options that keep the heap small. Node documents them, and they do not slow down its start. */
export const V8_FLAGS = [
  // MiB for each semi-space of the young generation, which has up to three. The default is 16.
  '--max-semi-space-size=8',
  // MiB for the old generation. Below 2 GiB, V8 lets the heap grow to at most twice the size of the objects in use. Above
  // that limit, V8 lets it grow to four times their size.
  '--max-old-space-size=2000',
] as const;
