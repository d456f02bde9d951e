/**
 * Declares the topics. A topic is a command that only groups other commands, such as `admin users` in
 * `holdfast admin users list`.
 */

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
    more:
      'An object is BUCKET/KEY, TARGET:BUCKET/KEY or a path in the folder of a job. Add ~2 to read the second version ' +
      'before the current one.',
    examples: [
      'holdfast s3 ls',
      'holdfast s3 cp ./a.jpg photos/a.jpg',
      'holdfast s3 versions photos/',
    ],
  },
  's3 public-access': {
    summary: 'block public access to a bucket, whatever its policy and ACLs grant',
    examples: ['holdfast s3 public-access block photos', 'holdfast s3 public-access get photos'],
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
  'admin users': {
    summary: 'manage the users of the embedded store',
    more:
      'The users of a project share its buckets. USER is NAME or PROJECT:NAME@CUSTOMER. ' +
      'Works without a daemon, too; a running daemon applies a change at once.',
    examples: [
      'holdfast admin users list',
      'holdfast admin users add ann',
      'holdfast admin users remove ann',
    ],
  },
  'admin groups': {
    summary: 'manage groups of users, which can have full access together',
    more: 'GROUP is NAME or PROJECT:NAME@CUSTOMER. Works without a daemon, too.',
    examples: [
      'holdfast admin groups add admins --full-access',
      'holdfast admin groups join admins ann',
    ],
  },
  'admin projects': {
    summary: 'manage projects, whose users share buckets',
    more: 'A project owns what its users create. PROJECT is NAME or NAME@CUSTOMER. Works without a daemon, too.',
    examples: ['holdfast admin projects list', 'holdfast admin projects add photos'],
  },
  'admin keys': {
    summary: 'list, add, rotate and remove the access keys of the embedded store',
    more: 'Works without a daemon, too. Shows no secret: see `holdfast admin credentials`.',
    examples: [
      'holdfast admin keys list',
      'holdfast admin keys rotate              # the old key remains valid for 24 hours',
    ],
  },
  monitor: {
    summary: 'show metrics of buckets, and manage alarms and alerts',
    examples: ['holdfast monitor metrics', 'holdfast monitor alarms list'],
  },
  'monitor alerts': {
    summary: 'list the alerts about jobs, and test the alert actions',
    more: '`alerts` in config.yaml says when, and by which actions.',
    examples: ['holdfast monitor alerts list', 'holdfast monitor alerts test documents'],
  },
} as const satisfies Readonly<Record<string, Omit<Declaration, 'usage'>>>;

export function isTopic(name: string): boolean {
  return Object.hasOwn(TOPICS, name);
}

/** Adds a topic to the program, together with the topics below it, and returns the topic. */
export function declareTopic(program: Command, name: string): Command {
  for (const [topic, declaration] of Object.entries(TOPICS)) {
    if (topic !== name && !topic.startsWith(`${name} `)) continue;
    const words = topic.split(' ');
    const usage = words.pop() ?? '';
    declare(commandAt(program, words), { usage, ...declaration }).helpCommand(false);
  }
  return commandAt(program, [name]);
}

/** Returns the command with this name, such as `['admin', 'users']`. Throws if the command is not declared. */
export function commandAt(program: Command, words: readonly string[]): Command {
  return words.reduce((above, word) => {
    const command = above.commands.find((each) => each.name() === word);
    if (command) return command;
    throw new Error(`no command "${words.join(' ')}"`);
  }, program);
}
