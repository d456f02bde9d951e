/**
 * Defines the metrics of a bucket, and the statistics over several samples (specification,
 * "Monitoring and alarms").
 */

export const METRICS = ['BucketSizeBytes', 'NumberOfObjects'] as const;
export type Metric = (typeof METRICS)[number];

export const STATISTICS = ['SampleCount', 'Average', 'Sum', 'Minimum', 'Maximum'] as const;
export type Statistic = (typeof STATISTICS)[number];

/** The values of all metrics at one time. */
export type Sample = Readonly<Record<Metric, number>>;

/** An aggregate of several samples of a metric. `samples` is the number of samples, at least 1. */
export interface Summary {
  readonly samples: number;
  readonly sum: number;
  readonly minimum: number;
  readonly maximum: number;
}

const VALUES: Readonly<Record<Statistic, (summary: Summary) => number>> = {
  SampleCount: ({ samples }) => samples,
  Average: ({ samples, sum }) => sum / samples,
  Sum: ({ sum }) => sum,
  Minimum: ({ minimum }) => minimum,
  Maximum: ({ maximum }) => maximum,
};

export function valueOf(summary: Summary, statistic: Statistic): number {
  return VALUES[statistic](summary);
}
