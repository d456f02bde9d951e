/** Mutations of sync rounds: the events and hints that they take, and the files that are saved during a full round. */

import { type Mutation, testedMutations } from './mutation.ts';

export const ROUND_MUTATIONS: readonly Mutation[] = [
  ...testedMutations('local/tree/watch.ts', [
    [
      'changed rules of an exclude file apply at once although the file itself is excluded',
      'if (isRuleFile(basename(path))) return false;',
      '',
      'scenario/mirror-ignored',
      'the rules of an exclude file that',
    ],
  ]),
  ...testedMutations('rounds/plan-saves.ts', [
    [
      'a full round uploads no saved file before it has read the exclusion rules of its folder',
      '!scanned.has(folder) ||',
      '',
      'scenario/mirror-under-way',
      'has not read yet excludes',
    ],
    [
      'a full round uploads no saved file after the exclusion rules above it changed',
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
      'a full round that waits plans no more saved files than its executor accepts',
      'while (!wait.isOver && mayPlan()) {',
      'while (!wait.isOver) {',
      'unit/mirror/plan-saves',
      'while too many of them wait',
    ],
    [
      'a full round plans a saved file that is excluded by now only once',
      'if (!planned.delete(path)) hint(path);',
      'hint(path);',
      'unit/mirror/plan-saves',
      'excluded by now',
    ],
  ]),
  ...testedMutations('rounds/plan-changes.ts', [
    [
      'a full round does not plan the listed state of a file that was saved since',
      'if (!isFirst && saved?.has(key)) return false;',
      '',
      'unit/mirror/plan-saves',
      'saved since its folder was listed',
    ],
    [
      'a file that is saved twice while its folder is planned is planned twice',
      'if (!isFirst && saved?.has(key)) return false;',
      'if (saved?.has(key)) return false;',
      'unit/mirror/plan-saves',
      'each time it is saved',
    ],
    [
      'a full round remembers the files that it planned when they were saved',
      'if (gathered.isFirst) for (const key of keys) gathered.saved?.add(key);',
      '',
      'unit/mirror/plan-saves',
      'remembers the saved files',
    ],
  ]),
  ...testedMutations('rounds/plan-folder.ts', [
    [
      'a full round remembers saved files only while their folder is planned',
      'if (!gathered.isFirst) gathered.saved?.clear();',
      '',
      'unit/mirror/plan-saves',
      'remembers the saved files',
    ],
    [
      'the other hard links of a changed file are hinted if the folder of an event is listed',
      'if (!gathered.isFull) {',
      'if (false) {',
      'unit/mirror/link-hints',
      'folder of an event is listed',
    ],
    [
      'a new hard link in a listed folder hints no other names',
      '.filter(([key]) => !created.has(key))',
      '',
      'unit/mirror/link-hints',
      'for a new hard link',
    ],
  ]),
  ...testedMutations('rounds/plan-names.ts', [
    [
      'the other hard links of a changed file are hinted',
      'context.linkHints.hintOthers(touched.values());',
      '',
      'unit/mirror/link-hints',
      'once for each state',
    ],
  ]),
  ...testedMutations('rounds/link-hints.ts', [
    [
      'hard links do not hint each other again and again',
      'if (this.#newer.has(state) || this.#older.has(state)) return false;',
      '',
      'unit/mirror/link-hints',
      'once for each state',
    ],
    [
      'a new state of a file hints its other hard links again',
      '`${inode} ${ctimeMs}`',
      '`${inode}`',
      'unit/mirror/link-hints',
      'once for each state',
    ],
    [
      'a hard link whose first upload is under way is hinted',
      'if (entry && inodes.has(entry.inode)) names.set(entry.path, entry);',
      '',
      'unit/mirror/link-hints',
      'uploaded for the first time',
    ],
    [
      'the number of remembered states of files is bounded',
      'this.#newer.size === MAX_STATES / 2',
      'false',
      'unit/mirror/link-hints',
      'forgets the oldest states',
    ],
  ]),
  ...testedMutations('transfer/lane.ts', [
    [
      'every second task that starts is one of the others',
      'const position = Math.max(this.#last[kind], this.#reached) + 1;',
      'const position = first ? 0 : Math.max(this.#last[kind], this.#reached) + 1;',
      'unit/mirror/lane',
      'and the others in turn',
    ],
    [
      'a new task waits for no more tasks of the other kind than those that started',
      'Math.max(this.#last[kind], this.#reached) + 1',
      'this.#last[kind] + 1',
      'unit/mirror/lane',
      'no matter how many others were started',
    ],
    [
      'tasks that are first take at most half of the places',
      'this.#firstWaiting < this.#limit / 2',
      'this.#firstWaiting < this.#limit',
      'unit/mirror/lane',
      'leaves half of its capacity',
    ],
    [
      'tasks that are first take no place after their start',
      'if (first) this.#firstWaiting -= 1;',
      '',
      'unit/mirror/lane',
      'leaves half of its capacity',
    ],
  ]),
  ...testedMutations('transfer/executor.ts', [
    [
      'saved files are accepted while all places of the others are taken',
      'first ? lane.hasCapacityForFirst() : lane.hasCapacity(),',
      'lane.hasCapacity(),',
      'unit/mirror/executor',
      'accepts saved files',
    ],
    [
      'the executor starts a saved file before the files that wait',
      'const inTurn = () => runInTurn(action, isSmall);\n    return lane.add(inTurn, order)',
      'const inTurn = () => runInTurn(action, isSmall);\n    return lane.add(inTurn, { first: order.first && false })',
      'scenario/mirror-under-way',
      'before the files that wait for their turn',
    ],
  ]),
];
