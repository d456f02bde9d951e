/** Runs all checks of the aws command line, with any version of it. */

import type { Lane } from '../lane.ts';
import { checkAccess } from './access.ts';
import { Aws } from './aws.ts';
import { checkBrowsers } from './browsers.ts';
import { checkClusters } from './clusters.ts';
import { checkEncryption } from './encryption.ts';
import { checkFiles } from './files.ts';
import { checkLifecycle } from './lifecycle.ts';
import { checkListings } from './listings.ts';
import { checkLocks } from './locks.ts';
import { checkMultipart } from './multipart.ts';
import { checkObjects } from './objects.ts';
import { checkPolicies } from './policies.ts';
import { checkRefusals } from './refusals.ts';
import { checkTags } from './tags.ts';
import { checkVersions } from './versions.ts';

export async function awsChecks(lane: Lane): Promise<void> {
  const aws = new Aws(lane);
  await checkFiles(aws);
  await checkObjects(aws);
  await checkListings(aws);
  await checkVersions(aws);
  await checkMultipart(aws);
  await checkLocks(aws);
  await checkTags(aws);
  await checkAccess(aws);
  await checkPolicies(aws);
  await checkEncryption(aws);
  await checkBrowsers(aws);
  await checkLifecycle(aws);
  await checkClusters(aws);
  await checkRefusals(aws);
}
