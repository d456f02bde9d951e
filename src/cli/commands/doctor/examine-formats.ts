/** Checks whether a newer version of Holdfast has used this home folder. */

import { failedFinding, type Finding } from '../../../base/finding.ts';
import type { Home } from '../../../config/home.ts';

/** Returns a finding for each database with a newer format. */
export async function examineFormats(home: Home): Promise<readonly Finding[]> {
  const { newerDatabases } = await import('../../../../daemon/state/state-formats.ts');
  const newer = await newerDatabases(home);
  return newer.map(({ path, reason }) =>
    failedFinding('formats', `${path} ${reason}: use the newer Holdfast that wrote it`),
  );
}
