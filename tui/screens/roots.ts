/** The eight screens that the digits choose. */

import type { TabName } from '../app/router.ts';
import type { Screen } from '../app/screen.ts';
import type { Ui } from '../app/ui.ts';
import { BucketsScreen } from './buckets/buckets-screen.ts';
import { MetricsScreen } from './metrics/metrics-screen.ts';
import { ClustersScreen } from './nodes/clusters-screen.ts';
import { ActivityScreen } from './activity/activity-screen.ts';

const ROOTS: Readonly<Record<TabName, (ui: Ui) => Screen>> = {
  dashboard: (ui) => new ActivityScreen(ui),
  buckets: (ui) => new BucketsScreen(ui),
  jobs: (ui) => new ActivityScreen(ui),
  conflicts: (ui) => new ActivityScreen(ui),
  nodes: (ui) => new ClustersScreen(ui),
  metrics: (ui) => new MetricsScreen(ui),
  locks: (ui) => new ActivityScreen(ui),
  activity: (ui) => new ActivityScreen(ui),
};

export function makeRoot(ui: Ui, tab: TabName): Screen {
  return ROOTS[tab](ui);
}
