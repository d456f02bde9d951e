/** Defines the V8 options of each process. V8's defaults suit a program that has the whole machine for itself. */

/** Options that keep the heap small. They are documented by Node, and they do not slow down its start. */
export const V8_FLAGS = [
  // The size in MiB of each semi-space of the young generation. There are up to three semi-spaces. The default is 16.
  '--max-semi-space-size=8',
  // The size in MiB of the old generation. Below 2 GiB, V8 lets the heap grow to at most twice the size of the objects
  // in use. Above 2 GiB, V8 lets it grow to four times their size.
  '--max-old-space-size=2000',
] as const;

/**
 * The options of the dashboard. It allocates little, except while it reads long listings. With smaller semi-spaces, it
 * needs 6 MiB less for a bucket of 100,000 objects.
 */
export const DASHBOARD_V8_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=2000'] as const;
