/** Implements the control methods for bucket metrics of the embedded store, and for alarms. */

import type { Clock } from '../../../src/base/clock.ts';
import { defined } from '../../../src/base/defined.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type {
  AlarmActionShape,
  AlarmDefinitionShape,
  AlarmShape,
  BucketMetricsShape,
} from '../../../src/control/methods/monitoring.ts';
import {
  type BucketMetrics,
  type BucketMetricsReader,
  bucketSizeBytes,
  numberOfObjects,
} from '../../../src/engine/reads/bucket-metrics.ts';
import type { Alarm, AlarmAction, AlarmDefinition } from '../../../src/monitoring/alarm.ts';
import type { Monitoring } from '../../../src/monitoring/monitoring.ts';
import type { ControlHandlers, HandledMethod } from '../../control/control-handlers.ts';
import { bucketSubject, recentResult } from '../../metrics/series-recorder.ts';

type MonitoringMethod = Extract<HandledMethod, `alarms.${string}` | `metrics.${string}`>;

export interface MonitoringHandlerOptions {
  readonly metrics: BucketMetricsReader;
  readonly monitoring: Monitoring;
  readonly clock: Clock;
  /** Returns all metrics of the daemon in the Prometheus text format. */
  readonly prometheus: () => Promise<string>;
}

export function monitoringHandlers(
  options: MonitoringHandlerOptions,
): Pick<ControlHandlers, MonitoringMethod> {
  const { metrics, monitoring } = options;
  const find = (bucket: string) => {
    const found = metrics.find(bucket);
    if (found) return metricsResult(found, monitoring.monitored());
    const hint = 'to list the buckets: holdfast monitor metrics';
    throw new ControlError('NotFound', `unknown bucket "${bucket}"`, { hint });
  };
  return { ...metricHandlers(options, find), ...alarmHandlers(monitoring, find) };
}

/** Returns the metrics of a bucket. Throws ControlError `NotFound` if the bucket does not exist. */
type Find = (bucket: string) => BucketMetricsShape;

function metricHandlers(
  { metrics, monitoring, prometheus, clock }: MonitoringHandlerOptions,
  find: Find,
): Pick<ControlHandlers, Extract<MonitoringMethod, `metrics.${string}`>> {
  return {
    'metrics.list': async () => {
      const monitored = monitoring.monitored();
      return { buckets: metrics.list().map((each) => metricsResult(each, monitored)) };
    },
    'metrics.get': async ({ bucket }) => ({ ...find(bucket), heads: metrics.countHeads(bucket) }),
    'metrics.series': async (question) => ({ points: [...monitoring.series(question)] }),
    'metrics.recent': async ({ bucket, span }) => {
      const subject = bucketSubject(find(bucket).bucket);
      return recentResult(monitoring.recent.read(subject, 'size', span, clock.now()));
    },
    'metrics.monitor': async ({ bucket, on }) => {
      monitoring.setMonitored(bucket, on);
      return find(bucket);
    },
    'metrics.prometheus': async () => ({ text: await prometheus() }),
  };
}

function alarmHandlers(
  monitoring: Monitoring,
  find: Find,
): Pick<ControlHandlers, Extract<MonitoringMethod, `alarms.${string}`>> {
  return {
    'alarms.list': async ({ bucket }) => {
      if (bucket !== undefined) find(bucket);
      const alarms = monitoring.alarms().map(alarmResult);
      return { alarms: alarms.filter((each) => bucket === undefined || each.bucket === bucket) };
    },
    'alarms.get': async ({ name }) => alarmResult(monitoring.alarm(name)),
    'alarms.put': async ({ alarm, replace }) =>
      alarmResult(monitoring.putAlarm(definitionOf(alarm), { replace })),
    'alarms.remove': async ({ name }) => {
      monitoring.removeAlarm(name);
      return {};
    },
    'alarms.test': async ({ name, state }, { signal }) => ({
      actions: await monitoring.testActions(name, state, signal),
    }),
    'alarms.setState': async ({ name, ...verdict }) =>
      alarmResult(monitoring.setState(name, verdict)),
    'alarms.acknowledge': async ({ name }) => alarmResult(monitoring.acknowledge(name)),
    'alarms.history': async ({ name, limit, before }) => ({
      entries: [...monitoring.history(name, defined({ limit, before }))],
    }),
  };
}

function metricsResult(
  metrics: BucketMetrics,
  monitoredBuckets: ReadonlySet<string>,
): BucketMetricsShape {
  const { bucketId: _, name: bucket, createdAt, ...counts } = metrics;
  const monitored = monitoredBuckets.has(bucket);
  const sizeBytes = bucketSizeBytes(metrics);
  return { bucket, createdAt, monitored, sizeBytes, objects: numberOfObjects(metrics), ...counts };
}

/** Converts an alarm to its control protocol form. If its bucket is not monitored, its state is `DISABLED`. */
export function alarmResult({ monitored, state, actions, ...alarm }: Alarm): AlarmShape {
  return defined({
    ...alarm,
    actions: {
      OK: actions.OK.map(actionResult),
      ALARM: actions.ALARM.map(actionResult),
      INSUFFICIENT_DATA: actions.INSUFFICIENT_DATA.map(actionResult),
    },
    ...(monitored ? { state } : { state: 'DISABLED' as const, frozenState: state }),
  });
}

function actionResult(action: AlarmAction): AlarmActionShape {
  return action.type === 'command' ? { ...action, argv: [...action.argv] } : action;
}

function definitionOf({ actions, ...alarm }: AlarmDefinitionShape): AlarmDefinition {
  return {
    ...defined(alarm),
    actions: {
      OK: actions.OK.map(defined),
      ALARM: actions.ALARM.map(defined),
      INSUFFICIENT_DATA: actions.INSUFFICIENT_DATA.map(defined),
    },
  };
}
