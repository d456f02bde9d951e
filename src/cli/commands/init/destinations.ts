/** Asks for the destination of a job, and for the credentials of a new target. */

import { defined } from '../../../base/defined.ts';
import { targetNameFor } from '../../../config/bucket-name.ts';
import type { TargetConfig } from '../../../config/config.ts';
import type { Credentials } from '../../../config/credentials.ts';
import { storeFolder } from '../../../config/home.ts';
import type { Home } from '../../../config/home.ts';
import type { TargetEntry } from '../../../config/schema.ts';
import type { Item } from '../../arguments/answers.ts';
import {
  DEFAULT_REGION,
  servicePlaceOf,
  type ServicePlace,
} from '../../arguments/service-place.ts';
import { parseTargetPlace } from '../../arguments/target-place.ts';
import { readTargetKey } from '../../arguments/target-key.ts';
import { usageError } from '../../output/command-error.ts';
import { visible } from '../../output/text.ts';
import type { Asking } from './asking.ts';

export interface Destination {
  /** A target that already exists in config.yaml. */
  readonly known?: TargetConfig;
  /** A new target that the job would use. */
  readonly target?: TargetEntry;
  /** The credentials of the new target. */
  readonly key?: Credentials;
  /** The bucket and the prefix, if the answer contained them. */
  readonly bucket?: string;
  readonly prefix?: string;
}

interface Kind {
  /** The answer that selects this destination (in addition to its number), such as `local`. */
  readonly name: string;
  readonly title: string;
  readonly explanation: string;
  readonly ask: (asking: Asking) => Promise<Destination>;
}

const kindsIn = (home: Home): readonly Kind[] => [
  {
    name: 'local',
    title: 'this machine',
    explanation:
      `The embedded store, in ${visible(storeFolder(home))}. ` +
      'On the disk of the folder, it protects against mistakes only: it is lost with the disk.',
    ask: async () => ({}),
  },
  {
    name: 's3',
    title: 'an S3 service',
    explanation:
      'AWS, Backblaze B2, MinIO, Ceph, another Holdfast, and others. It also protects against the loss of this machine.',
    ask: askService,
  },
];

/** Returns the destination. It is an empty object for the embedded store. */
export async function askDestination(asking: Asking, home: Home): Promise<Destination> {
  const { options, answers, config } = asking;
  const kinds = [...kindsIn(home), ...config.targets.map(kindOfTarget)];
  const explained: (Item | string)[] = [
    'Where to store the backup?',
    ...kinds.map(({ title, explanation }, index): Item => [`${index + 1}  ${title}`, explanation]),
  ];
  const question = { text: 'Destination', explained, proposed: '1', option: '--to' };
  const chosen = (answer: string) => {
    const kind = kinds.find(({ name }, index) => [name, `${index + 1}`].includes(answer));
    if (kind) return kind.ask;
    const known = parseTargetPlace(answer, config.targets);
    if (known) {
      const { target, bucket, prefix } = known;
      return async () => ({ known: target, ...defined({ bucket, prefix }) });
    }
    const place = placeOf(asking, answer);
    return () => destinationAt(asking, answer, place);
  };
  const ask = await (options.to === undefined ? answers.ask(question, chosen) : chosen(options.to));
  return ask(asking);
}

function kindOfTarget(known: TargetConfig): Kind {
  const { name, endpoint } = known;
  return {
    name,
    title: name,
    explanation: `The target of config.yaml at ${endpoint}.`,
    ask: async () => ({ known }),
  };
}

function placeOf({ context, options }: Asking, typed: string): ServicePlace {
  if (/^\d+$/.test(typed)) throw usageError(`the list has no destination ${typed}`);
  return servicePlaceOf(typed, options, context.io.env);
}

async function askService(asking: Asking): Promise<Destination> {
  const explained = [
    'Which service? s3://BUCKET is a bucket of AWS. For another service: its host or URL, with or without a bucket.',
  ];
  const question = { text: 'Service', explained, option: '--to' };
  const [typed, place] = await asking.answers.ask(
    question,
    (answer) => [answer, placeOf(asking, answer)] as const,
  );
  return destinationAt(asking, typed, place);
}

/** Returns the target for this answer. Asks for its region and its credentials if they are unknown. */
async function destinationAt(
  asking: Asking,
  typed: string,
  place: ServicePlace,
): Promise<Destination> {
  const { context, options, answers, config } = asking;
  const { endpoint, regionFrom, bucket, prefix } = place;
  const within = defined({ bucket, prefix: prefix || undefined });
  const known = config.targets.find((each) => each.endpoint === endpoint);
  if (known) return { known, ...within };
  const region =
    regionFrom === DEFAULT_REGION.regionFrom
      ? await answers.ask(
          { text: 'Region', proposed: place.region, option: '--region' },
          (name) => name,
        )
      : place.region;
  const { protocol } = options;
  const verb = `cannot back up to ${typed}`;
  const key = await readTargetKey(context, { options, verb, answers });
  const name = targetNameFor(URL.parse(endpoint)?.hostname ?? 'target');
  return { target: { name, endpoint, ...defined({ protocol }), region }, key, ...within };
}
