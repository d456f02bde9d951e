/**
 * Mutations of sync rounds: how they handle file events, repeated paths, and files that are saved
 * during a full round.
 */

import { type Mutation, testedMutations } from './mutation.ts';

export const ROUND_MUTATIONS: readonly Mutation[] = [
  ...testedMutations('local/tree/watch.ts', [
    [
      'a change of an exclude file applies immediately, even if the exclude file itself is excluded',
      'if (isRuleFile(basename(path))) return false;',
      '',
      'scenario/mirror-ignored',
      'the rules of an exclude file that',
    ],
  ]),
  ...testedMutations('rounds/plan-saves.ts', [
    [
      'a full round does not upload a saved file before it has read the exclusion rules of the folder',
      '!scanned.has(folder) ||',
      '',
      'scenario/mirror-under-way',
      'has not read yet excludes',
    ],
    [
      'a full round does not upload a saved file after the exclusion rules in a parent folder have changed',
      'if (RULE_FILES.some((name) => isHinted(within(folder, name)))) return false;',
      '',
      'scenario/mirror-under-way',
      'a new exclude file excludes',
    ],
    [
      'a full round plans no more saved files than its executor accepts',
      'const mayPlan = () => executor.hasCapacity({ first: true });',
      'const mayPlan = () => true;',
      'unit/mirror/plan-saves',
      'while too many of them wait',
    ],
    [
      'a full round that is waiting for its executor plans no more saved files than the executor accepts',
      'while (!wait.isOver && mayPlan()) {',
      'while (!wait.isOver) {',
      'unit/mirror/plan-saves',
      'while too many of them wait',
    ],
    [
      'a full round handles a saved file only once if the file has become excluded',
      'if (!planned.delete(path)) hint(path);',
      'hint(path);',
      'unit/mirror/plan-saves',
      'that is now excluded',
    ],
  ]),
  ...testedMutations('rounds/plan-changes.ts', [
    [
      'a full round does not plan the listed state of a file that was saved after the listing',
      'if (!isFirst && saved?.has(key)) return false;',
      '',
      'unit/mirror/plan-saves',
      'saved after its folder was listed',
    ],
    [
      'a file that is saved again while its folder is being planned is planned again',
      'if (!isFirst && saved?.has(key)) return false;',
      'if (saved?.has(key)) return false;',
      'unit/mirror/plan-saves',
      'each time a file is saved',
    ],
    [
      'a full round records which files it has planned because they were saved',
      'if (gathered.isFirst) for (const key of keys) gathered.saved?.add(key);',
      '',
      'unit/mirror/plan-saves',
      'remembers only the saved files',
    ],
  ]),
  ...testedMutations('rounds/plan-folder.ts', [
    [
      'a full round keeps the record of saved files only while it plans their folder',
      'if (!gathered.isFirst) gathered.saved?.clear();',
      '',
      'unit/mirror/plan-saves',
      'remembers only the saved files',
    ],
    [
      'if an event round finds a changed file in a listed folder, all other hard links of that file are scanned, too',
      'if (!gathered.isFull) {',
      'if (false) {',
      'unit/mirror/link-hints',
      'is listed after a file event',
    ],
    [
      'a new hard link in a listed folder does not cause a scan of the other names',
      '.filter(([key]) => !created.has(key))',
      '',
      'unit/mirror/link-hints',
      'contains a new hard link',
    ],
  ]),
  ...testedMutations('rounds/plan-names.ts', [
    [
      'if a file changes, all its other hard links are scanned, too',
      'context.linkHints.hintOthers(touched.values());',
      '',
      'unit/mirror/link-hints',
      'once per change while',
    ],
  ]),
  ...testedMutations('rounds/link-hints.ts', [
    [
      'the hard links of a file do not cause endless scans of each other',
      'if (this.#newer.has(state) || this.#older.has(state)) return false;',
      '',
      'unit/mirror/link-hints',
      'once per change while',
    ],
    [
      'each new state of a file causes a scan of its other hard links',
      '`${inode} ${ctimeMs}`',
      '`${inode}`',
      'unit/mirror/link-hints',
      'once per change while',
    ],
    [
      'a hard link whose first upload is in progress is scanned when the file changes',
      'if (entry && inodes.has(entry.inode)) names.set(entry.path, entry);',
      '',
      'unit/mirror/link-hints',
      'uploaded for the first time',
    ],
    [
      'the number of recorded file states is limited',
      'this.#newer.size === MAX_STATES / 2',
      'false',
      'unit/mirror/link-hints',
      'drops the oldest remembered file states',
    ],
  ]),
  ...testedMutations('transfer/lane.ts', [
    [
      'tasks with priority and other tasks start alternately',
      'const position = Math.max(this.#last[kind], this.#reached) + 1;',
      'const position = first ? 0 : Math.max(this.#last[kind], this.#reached) + 1;',
      'unit/mirror/lane',
      'starts priority tasks and other tasks alternately',
    ],
    [
      'a new task waits only for those tasks of the other kind that have already started',
      'Math.max(this.#last[kind], this.#reached) + 1',
      'this.#last[kind] + 1',
      'unit/mirror/lane',
      'however many other tasks started',
    ],
    [
      'tasks with priority occupy at most half of the queue',
      'this.#firstWaiting < this.#limit / 2',
      'this.#firstWaiting < this.#limit',
      'unit/mirror/lane',
      'reserves half of its capacity',
    ],
    [
      'a task with priority does not occupy a queue position after its start',
      'if (first) this.#firstWaiting -= 1;',
      '',
      'unit/mirror/lane',
      'reserves half of its capacity',
    ],
  ]),
  ...testedMutations('transfer/executor.ts', [
    [
      'the executor accepts a saved file while other tasks fill their part of the queue',
      'first ? lane.hasCapacityForFirst() : lane.hasCapacity(),',
      'lane.hasCapacity(),',
      'unit/mirror/executor',
      'still queues recently saved files',
    ],
    [
      'the executor starts a saved file before the files that are already queued',
      'const inTurn = () => runInTurn(action, isSmall);\n    return lane.add(inTurn, order)',
      'const inTurn = () => runInTurn(action, isSmall);\n    return lane.add(inTurn, { first: order.first && false })',
      'scenario/mirror-under-way',
      'before the files that wait for their turn',
    ],
  ]),
];
