/**
 * Formats the result of `holdfast config reload`. The command makes the daemon read its configuration
 * again.
 */

import { visible } from '../../output/text.ts';
import type { Answers } from '../../simple-call.ts';

const SIGNS = { added: '+', removed: '-', same: ' ' };

export const CONFIG_ANSWERS: Answers = {
  'config.reload': ({ diff, jobs, warnings }) => [
    ...diff.map(({ is, text }) => `${SIGNS[is]}${visible(text)}`),
    ...jobs.map(({ name, did }) => `job ${visible(name)}: ${did}`),
    ...(jobs.length === 0 ? ['all jobs continue unchanged'] : []),
    ...warnings.map((warning) => `! ${visible(warning)}`),
  ],
};
