/**
 * Defines the options and the environment with which Node is started. The defaults of V8 and of the C library use more
 * memory than a background program should use.
 */

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

/**
 * Environment variables of the daemon. By default, the C library of Linux gives each thread its own memory areas, which
 * it seldom returns to the kernel. With a single area, the first backup of 300,000 files needs 19 MiB less memory and
 * takes the same time.
 */
export const DAEMON_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' } as const;

/** The same variables as a list of `name=value`, for units and shell scripts. */
export const DAEMON_ASSIGNMENTS: readonly string[] = Object.entries(DAEMON_ENVIRONMENT).map(
  ([name, value]) => `${name}=${value}`,
);
