/** The dashboard's door: on a terminal the screen, elsewhere lines of text. What the screen needs is loaded only then. */

import type { DashboardOptions } from './dashboard.tsx';
import { whyPlain } from './term/guard.ts';

export type { DashboardOptions } from './dashboard.tsx';

/** Says why there is no screen, having done nothing; undefined when the user has left the dashboard. */
export async function openDashboard(options: DashboardOptions): Promise<string | undefined> {
  const why = whyPlain(options.streams, options.env);
  if (why !== undefined) return why;
  // React's development build is slower by half; it is chosen when React is first loaded.
  process.env['NODE_ENV'] ??= 'production';
  const { runDashboard } = await import('./dashboard.tsx');
  await runDashboard(options);
  return undefined;
}
