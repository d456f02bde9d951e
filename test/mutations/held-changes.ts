/**
 * Mutations of the code by which the running mirror detects, holds, reviews and releases suspicious
 * changes.
 */

import { type Mutation, testedMutations } from './mutation.ts';

export const HELD_MUTATIONS: readonly Mutation[] = [
  ...testedMutations('transfer/delete-file.ts', [
    [
      'a delete whose hold changed after it was planned is not sent',
      'if (!isAllowed(action, context) || hasReturned',
      'if (hasReturned',
      'scenario/mirror-held-moves',
      'keeps the object of the old name if',
    ],
    [
      'a file that was created again is not deleted from the bucket',
      ' || hasReturned(key, context)) return DONE',
      ') return DONE',
      'scenario/mirror-queued-deletes',
      'is created again while its delete waits',
    ],
    [
      'a delete is checked against encrypted copies that were found after it was planned',
      ' && (await changeGuard.isHeldNow(key, context))',
      ' && false',
      'scenario/mirror-queued-deletes',
      'encrypted copies of the files were read',
    ],
  ]),
  ...testedMutations('guard/check-upload.ts', [
    [
      'an approval applies only to the content that the user reviewed',
      ' && hold.sha256 === sha256',
      '',
      'scenario/mirror-attack',
      'an approval uploads only the reviewed content',
    ],
    [
      'a held file stays held after the alarm ended while its content looks encrypted',
      ' && !wasHeld) return undefined',
      ') return undefined',
      'scenario/mirror-attack',
      'an approval uploads only the reviewed content',
    ],
    [
      'the first encrypted file in an unversioned bucket is held',
      "=== 'unversioned' ? 1 : undefined",
      "=== 'unversioned' ? undefined : undefined",
      'scenario/mirror-attack',
      'holds the first encrypted file',
    ],
    [
      'the lock of the version that a held overwrite would replace is extended',
      'await alarm.lockGoodVersions([good], session);',
      '',
      'scenario/mirror-attack',
      'holds the changes of the attack "in place"',
    ],
  ]),
  ...testedMutations('guard/anomaly-alarm.ts', [
    [
      'the locks of files that were overwritten before the alarm are extended',
      'const unlocked = await this.lockGoodVersions(lost, session);',
      'const unlocked = undefined;',
      'scenario/mirror-attack',
      'after a crash during the first detection',
    ],
    [
      'the alarm is stored after the locks were extended, so that a crash in between raises it again',
      'const unlocked = await this.lockGoodVersions(lost, session);',
      'state.setMeta(ALARM, JSON.stringify({ since: clock.now() }));\n    const unlocked = await this.lockGoodVersions(lost, session);',
      'scenario/mirror-attack',
      'after a crash during the first detection',
    ],
    [
      'the alarm stays on until the user ends it',
      'if (readAlarm(state)) return true;',
      '',
      'scenario/mirror-attack',
      'a day after the attack',
    ],
    [
      'anomalies in a folder of a tool count once',
      'treeOf(key, knows) ?? key',
      'key',
      'unit/mirror/change-guard',
      'not inside the folder of a development tool',
    ],
  ]),
  ...testedMutations('guard/change-guard.ts', [
    [
      'the delete of a file with an encrypted copy counts towards the alarm',
      'state.anomalies.markReplaced(withCopies);',
      '',
      'scenario/mirror-attack',
      'holds the changes of the attack',
    ],
    [
      'an approved delete is not held again although its file lost its content',
      '.filter(({ key }) => !isApproved(key))',
      '',
      'unit/mirror/change-guard',
      'does not hold an approved delete again',
    ],
    [
      'a delete that is held just before it is sent is listed for review',
      'if (head) heldChanges.holdDelete(key, head);',
      '',
      'scenario/mirror-queued-deletes',
      'encrypted copies of the files were read',
    ],
  ]),
  ...testedMutations('guard/check-move.ts', [
    [
      'a rename is held only if its lock cannot be removed',
      "lock?.retention?.mode !== 'COMPLIANCE' || ",
      '',
      'scenario/mirror-held-moves',
      'governance mode',
    ],
    [
      'a rename above the limit is held',
      'if (!wasHeld && moved.fits(entry.sizeBytes)) return undefined;',
      'return undefined;',
      'scenario/mirror-held-moves',
      'holds a rename above the limit',
    ],
    [
      'a held rename also holds the object of the old name',
      ', movedFrom: origin.path });',
      ' });',
      'scenario/mirror-held-moves',
      'holds a rename above the limit',
    ],
    [
      'an approved rename is carried out',
      'if (isApprovedPut(action, { sha256 }, hold)) return undefined;',
      '',
      'scenario/mirror-held-moves',
      'holds a rename above the limit',
    ],
    [
      'a held rename stays held after the time window has passed',
      'const wasHeld = hold?.state ===',
      'const wasHeld = false && hold?.state ===',
      'scenario/mirror-held-moves',
      'a held rename stays held',
    ],
  ]),
  ...testedMutations('guard/prior-deletes.ts', [
    [
      'the review counts only deletes that were mirrored before the first one was held',
      'readBeginning(state) ?? beginAt(',
      'beginAt(',
      'scenario/mirror-decisions',
      'reports how many deletes were mirrored before',
    ],
  ]),
  ...testedMutations('guard/root-check.ts', [
    [
      'the files of a folder that is missing or another one do not count as deleted',
      "if (comparison !== 'same') {",
      'if (false) {',
      'scenario/mirror-decisions',
      'reports a root folder that loses',
    ],
  ]),
  ...testedMutations('guard/git-removals.ts', [
    [
      'a file that git deleted counts as the delete of a user if its content was not committed',
      'return isSameTime && known',
      'return true || known',
      'scenario/mirror-everyday-deletes',
      'a forced git checkout',
    ],
    [
      'a file that git deleted counts as the delete of a user if git does not have its content',
      'kept.has(id) ? [key] : []',
      '[key]',
      'scenario/mirror-everyday-deletes',
      'a delete of files whose content git does not have',
    ],
  ]),
  ...testedMutations('guard/tree-deletes.ts', [
    [
      'a mirrored delete counts towards the limit of later deletes',
      'countedDeletes.add(new Set(keys.map(unit)), now)',
      'undefined',
      'scenario/mirror-held-changes',
      'deletes stay held for review',
    ],
  ]),
  ...testedMutations('rounds/plan-deletes.ts', [
    [
      'deletes above the limit are recorded as held',
      'if (plan.halt) holdDeletes(plan.halt, { brake, losses }, context);',
      '',
      'scenario/mirror-held-changes',
      'deletes stay held for review',
    ],
    [
      'a held delete does not prove that its content exists under another name',
      '[...new Set([...keys, ...state.heldChanges.deletes()])]',
      'keys',
      'scenario/mirror-held-changes',
      'holds deletes of the only remaining copies',
    ],
  ]),
  ...testedMutations('rounds/record-conflicts.ts', [
    [
      'an approval of an overwrite applies only to the version that is current when the user approves',
      'state.heldChanges.bindOverwrite(key, expectedHead(write, state.baseline.get(key)));',
      '',
      'scenario/mirror-held-changes',
      'an approval of the current version',
    ],
  ]),
  ...testedMutations('rounds/held-review.ts', [
    [
      'the user approves only the changes that the review showed',
      'if (digest !== undefined && digest !== heldChanges.digest()) throw changed(job.name);',
      '',
      'scenario/mirror-attack',
      'an approval uploads only the reviewed content',
    ],
    [
      'a rejected overwrite is not sent',
      'heldChanges.rejectOverwrites();',
      '',
      'scenario/mirror-attack',
      'keeps the object of a rejected change',
    ],
  ]),
  ...testedMutations('rounds/release-held.ts', [
    [
      'a file whose delete was rejected no longer belongs to the job',
      "state.settle(keys.map((key) => ({ key, baseline: 'drop' })));",
      '',
      'scenario/mirror-decisions',
      'keeps the objects of rejected deletes',
    ],
    [
      'a file that exists again belongs to the job although its delete was rejected',
      '.filter((key) => !hasReturned(root, key))',
      '',
      'scenario/mirror-held-changes',
      'without a conflict if it was created again',
    ],
    [
      'the held delete of a folder that exists again is cancelled',
      "if (change === 'delete') state.heldChanges.release(key);",
      "if (change === 'delete') continue;",
      'scenario/mirror-held-changes',
      'cancels the held delete of an empty folder',
    ],
    [
      'the held rename of a file that is gone is cancelled',
      'if (isThere(root, key, ({ ino }) => ino === entry.inode)) continue;',
      'continue;',
      'scenario/mirror-held-moves',
      'dropped if the file is deleted',
    ],
  ]),
];
