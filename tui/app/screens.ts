/** Creates the root screens of the eight tabs, and the screens that several other screens open. */

import type { TabName } from '../ui/router.ts';
import type { KnownScreen } from '../ui/screen.ts';
import type { Screens, Ui } from '../ui/ui.ts';
import { BucketsScreen } from '../screens/buckets/buckets-screen.ts';
import { ConflictsScreen } from '../screens/conflicts/conflicts-screen.ts';
import { LocksScreen } from '../screens/locks/locks-screen.ts';
import { MetricsScreen } from '../screens/metrics/metrics-screen.ts';
import { ClustersScreen } from '../screens/nodes/clusters-screen.ts';
import { DashboardScreen } from '../screens/dashboard/dashboard-screen.ts';
import { JobsScreen } from '../screens/jobs/jobs-screen.ts';
import { VersionsScreen } from '../screens/versions/versions-screen.ts';
import { ActivityScreen } from '../screens/activity/activity-screen.ts';

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

export const SCREENS: Screens = {
  root: (ui, tab) => ROOTS[tab](ui),
  versions: (ui, place) => new VersionsScreen(ui, place),
};
