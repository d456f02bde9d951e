/** The commands for jobs. They have the same keys on all screens that show jobs. */

import type { Command } from './command.ts';

/** The commands for the job under the cursor: on the dashboard, in the job list and on the screen of a job. */
export const JOB_COMMANDS = [
  {
    id: 'job.pause',
    title: 'pause at once, or resume',
    keys: ['p'],
    danger: 1,
    hint: 'pause',
  },
  { id: 'job.run', title: 'run a full round now', keys: ['R'], hint: 'run now' },
  {
    id: 'job.review',
    title: 'review held changes, and approve them',
    keys: ['a'],
    hint: 'review',
  },
  { id: 'job.reject', title: 'reject held changes', keys: ['z'], danger: 2 },
  { id: 'job.why', title: "explain the job's state", keys: ['w'], offline: true },
  { id: 'job.whyPath', title: 'show the lock of a path, and why', keys: ['W'] },
  { id: 'job.settle', title: 'wait until all changes are in the bucket', keys: ['S'] },
  { id: 'job.verify', title: 'verify folder and bucket', keys: ['v'] },
  {
    id: 'job.drill',
    title: 'restore test: check that the job can be restored',
    keys: ['d'],
    danger: 2,
  },
  {
    id: 'job.keep',
    title: 'remove old versions by its keep rules (counted first)',
    keys: ['K'],
    danger: 3,
  },
  {
    id: 'job.acceptRoot',
    title: 'accept the present folder',
    keys: ['A'],
    danger: 2,
  },
  {
    id: 'job.takeOver',
    title: 'take over its destination from another job',
    keys: ['T'],
    danger: 2,
  },
  { id: 'job.charts', title: 'charts of throughput, lag and versions', keys: ['c'] },
  { id: 'job.bucket', title: 'show its objects in the bucket', keys: ['b'] },
  { id: 'job.restore', title: 'restore its folder as of an earlier time', keys: ['t'] },
  { id: 'job.edit', title: 'edit its settings (config.yaml)', keys: ['e'] },
  { id: 'job.new', title: 'new job', keys: ['n'], hint: 'new' },
  { id: 'job.newTarget', title: 'new target: another S3 service', keys: ['N'] },
  { id: 'job.remove', title: 'remove the job; its bucket stays', keys: ['D'], danger: 3 },
] as const satisfies readonly Command[];

/** The commands on the screen of a single job. */
export const ONE_JOB_COMMANDS = [
  ...JOB_COMMANDS,
  {
    id: 'job.queueReason',
    title: 'show the queue for the next reason',
    keys: ['f'],
    hint: 'queue',
  },
] as const satisfies readonly Command[];

/** The commands on the screen that lists changes held for review. */
export const REVIEW_COMMANDS = [
  {
    id: 'review.approve',
    title: 'approve all held changes',
    keys: ['a'],
    danger: 2,
    hint: 'approve',
  },
  { id: 'review.reject', title: 'reject all held changes', keys: ['z'], danger: 2, hint: 'reject' },
  {
    id: 'review.restore',
    title: 'restore the folder as of before the anomaly or the deletes',
    keys: ['t'],
    hint: 'restore',
  },
] as const satisfies readonly Command[];
