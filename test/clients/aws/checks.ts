/** The aws command line, in whichever version. */

import type { Lane } from '../lane.ts';
import { Aws } from './aws.ts';
import { checkFiles } from './files.ts';

export async function awsChecks(lane: Lane): Promise<void> {
  const aws = new Aws(lane);
  await checkFiles(aws);
}
