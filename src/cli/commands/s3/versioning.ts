/** Formats the results of `holdfast s3 versioning`. */

import { visible } from '../../output/text.ts';
import type { Answers } from '../../simple-call.ts';

export const VERSIONING_ANSWERS: Answers = {
  'versioning.get': ({ versioning = 'never enabled' }, { params: { bucket } }) => [
    `${visible(bucket)}: ${versioning}`,
  ],
};
