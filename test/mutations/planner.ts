/**
 * Mutations of the planner of the mirror. Each mutation would lose data, apply a held change, or
 * report something false.
 */

import { type Mutation, mutationsOf } from './mutation.ts';

const PLAN = 'mirror/plan';

export const PLAN_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(`${PLAN}/decide.ts`, [
    [
      'an excluded file is not deleted from the bucket',
      "if (cell.missing === 'excluded') return { note: 'no longer mirrored' };",
      '',
    ],
    [
      'a file below a folder that could not be listed is not deleted from the bucket',
      "if (cell.missing === 'unseen') return { note: 'not seen' };",
      '',
    ],
    [
      'an object that is known only from a listing is read before it is compared with a file',
      'if (head.listed) return examine(cell, { readHead: true });\n  // ',
      '// ',
    ],
    [
      'an object that is known only from a listing is read before its file counts as deleted',
      'if (head?.listed) return examine(cell, { readHead: true });',
      '',
    ],
    [
      'an outdated version of the job is replaced even if its content equals the file',
      'if (head.isOutdated)\n',
      'if (false)\n',
    ],
    [
      'a symbolic link is not adopted as a file that contains its target',
      " && (kind === 'symlink') === (head.isLink === true)",
      '',
    ],
    [
      'metadata of the upload in the baseline does not prove the content of another version',
      'return isRewritten(baseline, head) ? undefined : knownSha256(head)',
      'return knownSha256(head)',
    ],
    [
      'the digest of compared content is valid although the metadata is that of the baseline',
      'if (head.isCompared) return head.sha256;',
      '',
    ],
    [
      'an object with other content than the file is not adopted',
      'if (remote !== undefined && local === remote)',
      'if (remote !== undefined && local !== undefined)',
    ],
    [
      'a file is hashed before an object of the same size counts as a conflict',
      'if (remote !== undefined && local === undefined) return examine(cell, { hashFile: true });',
      '',
    ],
    [
      'unknown content of the same size is compared before it counts as a conflict',
      "(isChanged || policy.drift === 'enforce') && !head.isCompared",
      'false',
    ],
    [
      'a file with other content counts as changed although its times are unchanged',
      ' || hasOtherContent(baseline, entry)',
      '',
    ],
    [
      'the resolution of a conflict applies only to the version that the user saw',
      'return held.head.versionId === head.versionId ? held.wish : undefined',
      'return held.wish',
    ],
    [
      'the resolution of a conflict applies only to the content that the user saw',
      'held?.head?.etag !== head.etag || ',
      '!held?.head || ',
    ],
    [
      'the resolution of a conflict applies only to the file that the user saw',
      ' || !unchanged(held.entry, entry)) return undefined',
      ') return undefined',
    ],
    [
      'the resolution "both" also downloads the object',
      "if (answer === 'local') return superseding",
      "if (answer !== 'remote') return superseding",
    ],
    [
      'a conflict of the first round is held until the user decides',
      "(isHeld && policy.conflict === 'keep-both')",
      'false',
    ],
    [
      'a conflict of the first round stays held in later rounds',
      ' || policy.heldKeys.has(key))',
      ')',
    ],
    ['the conflict policy "ask" changes nothing', "policy.conflict === 'ask' || ", ''],
    [
      'an object of another client in an unversioned bucket is copied before it is replaced',
      "if (policy.bucket === 'unversioned')\n    return {\n      actions: [{ kind: 'save-head', key, head, into",
      "if (false)\n    return {\n      actions: [{ kind: 'save-head', key, head, into",
    ],
    [
      'a version of another client is locked before it is superseded',
      'if (!isLocked(policy)) return { actions: [superseding]',
      'if (true) return { actions: [superseding]',
    ],
    [
      'a superseded version of another client is recorded in the conflict log',
      'ifMatch: head.etag }), supersedes: head };',
      'ifMatch: head.etag }) };',
    ],
    [
      'a file replaces the version of another client only while that version is current',
      'why, { ifMatch: head.etag }), supersedes',
      "why, { ifMatch: cell.baseline?.etag ?? '' }), supersedes",
    ],
    [
      'a changed mode or owner is uploaded although the content is unchanged',
      ' && sameAttributes(baseline, entry))',
      ')',
    ],
    [
      'an object that another client deletes repeatedly is restored at most once a day',
      "if (last !== undefined && now - last < REPROTECT_INTERVAL_MS) return { note: 'contested' };",
      '',
    ],
    [
      'a version that another client wrote stays if the file is deleted',
      'if (head)\n    return { actions: [drop]',
      'if (head?.isOutdated)\n    return { actions: [drop]',
    ],
    [
      'an object in an unversioned bucket is copied to the trash before it is deleted',
      "if (policy.bucket !== 'unversioned') return { actions: [removal] };",
      'return { actions: [removal] };',
    ],
    [
      'a version of equal content that another client wrote is adopted, so that it gets a lock',
      'return adoptRewritten(cell, baseline) ?? confirmLock(cell, baseline)',
      'return confirmLock(cell, baseline)',
    ],
    [
      'a lock that was requested is read back',
      'if (retainUntil !== LOCK_UNSEEN) return NOTHING;',
      'return NOTHING;',
    ],
    ['a new version gets the lock of the job', 'lock: isLocked(policy) }', 'lock: false }'],
  ]),
  ...mutationsOf(`${PLAN}/plan.ts`, [
    [
      'each plan applies the held changes',
      'const { allowed, held } = applyHolds(actions, input);',
      'const allowed = actions, held: readonly Action[] = [];',
    ],
    [
      'each plan applies the limit on deletes',
      'guardDeletes(allowed, input.policy.deleteGuard)',
      '{ actions: allowed, halt: undefined }',
    ],
    [
      'a conflict is not reported as resolved while its upload is held',
      'conflicts.filter(({ key }) => !heldKeys.has(key))',
      'conflicts',
    ],
    [
      'deletes above the limit are held in addition to changes that were held before',
      '[...held, ...(halt?.held ?? [])]',
      'held',
    ],
    [
      'no file is deleted from the bucket if the root could not be listed',
      "if (unlisted.has('')) return true;",
      '',
    ],
    [
      'no file in a folder of a folder that could not be listed is deleted from the bucket',
      'if (unlisted.has(key.slice(0, slash))) return true;',
      'return unlisted.has(key.slice(0, slash));',
    ],
  ]),
  ...mutationsOf(`${PLAN}/delete-limit.ts`, [
    ['the limit includes the deletes of earlier rounds', 'guard.recentDeletes + ', ''],
    ['the limit includes the deletes that are held already', 'guard.heldBefore + ', ''],
    [
      'a small job may delete 50 files',
      'DELETES_ALWAYS_ALLOWED = 50',
      'DELETES_ALWAYS_ALLOWED = 51',
    ],
    ['a large job may delete a tenth of its files', 'ALLOWED_SHARE = 0.1', 'ALLOWED_SHARE = 0.2'],
    [
      'the delete of a file with an encrypted copy is held below the limit',
      'const held = isMass ? losses : suspects',
      'const held = isMass ? losses : []',
    ],
    ['the delete of the old name of a renamed file is not held', '!exempt.has(action.key) && ', ''],
    ['an approved delete is not held again', ' && writeOf(action)?.approval === undefined', ''],
    [
      'the limit applies to an unversioned bucket',
      " || (action.kind === 'save-head' && action.next.kind === 'delete')",
      '',
    ],
    [
      'deletes below a folder that is already counted are not held',
      'if (unit !== undefined) units.add(unit)',
      "units.add(unit ?? '')",
    ],
    [
      'a file is uploaded under its new name before its old name is deleted',
      'return { actions: [...others, ...passing, ...losses] }',
      'return { actions: [...passing, ...losses, ...others] }',
    ],
  ]),
  ...mutationsOf(`${PLAN}/holds.ts`, [
    [
      'an approval applies only to the version that the user reviewed',
      'isSameChange && isSameHead(head, expectedHead(write, baseline)) ? approval',
      'isSameChange ? approval',
    ],
    [
      'an approval of an overwrite does not apply to a delete',
      'isSameChange && isSameHead(head,',
      'write && isSameHead(head,',
    ],
    [
      'an approval does not apply to another version of the same content',
      ' && a?.versionId === b?.versionId',
      '',
    ],
    [
      'the delete of a file whose overwrite is held is held as well',
      "return hold.change !== 'overwrite' || hold.state === 'held'",
      "return hold.change !== 'overwrite'",
    ],
    [
      'the object under the old name stays while a rename is held',
      "return hold.change !== 'overwrite' || hold.state === 'held'",
      "return hold.change === 'delete' || (hold.change === 'overwrite' && hold.state === 'held')",
    ],
    [
      'the old name of a held rename is not reported as a held delete',
      "if (hold.change !== 'renamed away') held.push(action)",
      'held.push(action)',
    ],
    [
      'a file that changed after it was held is checked again',
      'hold.entry !== undefined && unchanged(hold.entry, write.entry)',
      'hold.entry !== undefined',
    ],
    [
      'the current version is read if the user reviewed another version than the last synced one',
      'if (hold && !remote?.has(action.key) && isForOtherHead',
      'if (hold && false && isForOtherHead',
    ],
    [
      'an approval reaches the delete that follows a copy to the trash',
      "case 'save-head':\n      return { ...action, next: { ...action.next, approval } }",
      "case 'save-head':\n      return action",
    ],
    [
      'a held overwrite is not sent although the version of another client is locked first',
      "case 'save-head':\n    case 'lock-foreign':\n      return action.next;",
      "case 'save-head':\n      return action.next;",
    ],
    [
      'a held overwrite is not sent although the object is downloaded first',
      'return action.next && writeOf(action.next);',
      'return undefined;',
    ],
  ]),
  ...mutationsOf(`${PLAN}/tool-trees.ts`, [
    [
      'a folder named like the output of a tool counts as one only with the file of the tool',
      'return siblings === undefined || siblings.some((name) => isMirrored(above + name))',
      'return true',
    ],
    [
      'a folder named env counts as a virtual environment only with its configuration file',
      'return isMirrored(folder + inside)',
      'return true',
    ],
  ]),
];
