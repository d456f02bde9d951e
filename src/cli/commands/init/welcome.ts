/** Implements `holdfast` without a command on a terminal, if the home folder has no jobs yet. */

import { existsSync } from 'node:fs';

import type { Home } from '../../../config/home.ts';
import { loadConfig } from '../../../config/load.ts';
import { Answers, type Item } from '../../arguments/answers.ts';
import { parseServicePlace } from '../../arguments/service-place.ts';
import { readTargetKey } from '../../arguments/target-key.ts';
import { expandedPath, foldersBelow } from '../../arguments/typed-path.ts';
import type { Context } from '../../context.ts';
import { type ExitCode, usageError } from '../../output/command-error.ts';

type Act = (context: Context) => Promise<ExitCode | void>;

const CHOICES: readonly (readonly [title: string, explanation: string, act: Act])[] = [
  [
    'back up a folder',
    'Asks for the folder and the destination, and starts the backup (holdfast init).',
    async (context) => (await import('./init.ts')).init(context, undefined, {}),
  ],
  [
    'restore from a bucket',
    'For example on a new computer: restores what another Holdfast has backed up.',
    restoreFromBucket,
  ],
  [
    'look around',
    'Opens the dashboard on sample files in a temporary store, which is removed afterwards.',
    async (context) => (await import('./demonstration.ts')).demonstrate(context),
  ],
  ['quit', 'Changes nothing.', async () => undefined],
];

/** Returns whether the home folder has no jobs. */
export async function isNew(home: Home): Promise<boolean> {
  if (!existsSync(home.configFile)) return true;
  return (await loadConfig(home)).jobs.length === 0;
}

/** Asks the user what to do, does it, and returns the exit code. */
export async function welcome(context: Context): Promise<ExitCode | void> {
  const lead =
    'Holdfast keeps folders backed up to versioned, locked buckets. Nothing is backed up in this home yet.';
  const items = CHOICES.map(([title, text], index): Item => [`${index + 1}  ${title}`, text]);
  const answers = new Answers(context.io, { yes: false, command: 'holdfast' });
  let act: Act;
  try {
    const question = {
      text: 'What would you like to do',
      explained: [lead, ...items],
      proposed: '1',
      option: 'a command: holdfast --help',
    };
    act = await answers.ask(question, (answer) => {
      const choice = /^q(?:uit)?$/i.test(answer) ? CHOICES.at(-1) : CHOICES[Number(answer) - 1];
      if (choice) return choice[2];
      throw usageError(
        `"${answer}" is not in the list`,
        `type a number from 1 to ${CHOICES.length}`,
      );
    });
  } finally {
    answers.close();
  }
  return act(context);
}

async function restoreFromBucket(context: Context): Promise<ExitCode> {
  const { env } = context.io;
  const answers = new Answers(context.io, { yes: false, command: 'restore' });
  const bucketAt = (answer: string) => {
    const place = parseServicePlace(answer, { env });
    if (place.bucket !== undefined) return { ...place, bucket: place.bucket };
    throw usageError(
      `"${answer}" does not name a bucket`,
      'write s3://BUCKET or https://HOST/BUCKET',
    );
  };
  try {
    const explained = [
      'Which bucket? s3://BUCKET is a bucket of AWS. For another service: https://HOST/BUCKET, with a prefix if the backup has one.',
    ];
    const place = await answers.ask({ text: 'Bucket', explained, option: '--from' }, bucketAt);
    const key = await readTargetKey(context, { options: {}, verb: 'cannot restore', answers });
    const proposed = `./${place.bucket}`;
    const complete = (typed: string) => foldersBelow(context, typed);
    const folder = { text: 'To folder', proposed, option: '--to', complete };
    const to = await answers.ask(folder, expandedPath);
    const { endpoint, bucket, prefix, region } = place;
    const { restoreFrom } = await import('../restore/restore-from.ts');
    return await restoreFrom(context, { from: `${endpoint}/${bucket}/${prefix}`, to, region }, key);
  } finally {
    answers.close();
  }
}
