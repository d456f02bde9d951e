/** The eight screens that the digits choose. */

import type { TabName } from '../app/router.ts';
import type { KnownScreen } from '../app/screen.ts';
import type { Ui } from '../app/ui.ts';
import { BucketsScreen } from './buckets/buckets-screen.ts';
import { ConflictsScreen } from './conflicts/conflicts-screen.ts';
import { LocksScreen } from './locks/locks-screen.ts';
import { MetricsScreen } from './metrics/metrics-screen.ts';
import { ClustersScreen } from './nodes/clusters-screen.ts';
import { DashboardScreen } from './dashboard/dashboard-screen.ts';
import { JobsScreen } from './jobs/jobs-screen.ts';
import { ActivityScreen } from './activity/activity-screen.ts';

const ROOTS: Readonly<Record<TabName, (ui: Ui) => KnownScreen>> = {
  dashboard: (ui) => new DashboardScreen(ui),
  buckets: (ui) => new BucketsScreen(ui),
  jobs: (ui) => new JobsScreen(ui),
  conflicts: (ui) => new ConflictsScreen(ui),
  nodes: (ui) => new ClustersScreen(ui),
  metrics: (ui) => new MetricsScreen(ui),
  locks: (ui) => new LocksScreen(ui),
  activity: (ui) => new ActivityScreen(ui),
};

export function makeRoot(ui: Ui, tab: TabName): KnownScreen {
  return ROOTS[tab](ui);
}
