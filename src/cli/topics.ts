/** Declares the topics: the commands that only group other commands, such as `s3` in `holdfast s3 ls`. */

import type { Command } from 'commander';

import { declare, type Declaration } from './declare.ts';

export const TOPICS = {
  lock: {
    summary: 'show and change locks: of jobs, of buckets and of single versions',
    more: 'A locked version cannot be deleted before its retention and its legal hold end.',
    examples: ['holdfast lock list', 'holdfast lock retention get archive/2026.tar'],
  },
  s3: {
    summary: 'read and change buckets and objects, of the embedded store or of a target',
    examples: [
      'holdfast s3 ls',
      'holdfast s3 cp ./a.jpg photos/a.jpg',
      'holdfast s3 versions photos/',
    ],
  },
  cluster: {
    summary: 'list, create and delete container clusters and their node groups',
    more:
      'The service of this machine only keeps records, for testing programs that use such a service. ' +
      'clusters.services in config.yaml names remote services.',
    examples: ['holdfast cluster create prod --wait', 'holdfast cluster list'],
  },
  admin: {
    summary: 'manage users, projects and access keys, and check the embedded store',
    examples: ['holdfast admin keys list', 'holdfast admin store check'],
  },
  monitor: {
    summary: 'show metrics of buckets, and manage alarms and alerts',
    examples: ['holdfast monitor metrics', 'holdfast monitor alarms list'],
  },
} as const satisfies Readonly<Record<string, Omit<Declaration, 'usage'>>>;

/** Adds the topic to the program, without commands, and returns it. */
export function declareTopic(program: Command, name: keyof typeof TOPICS): Command {
  return declare(program, { usage: name, ...TOPICS[name] }).helpCommand(false);
}
