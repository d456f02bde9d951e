/** Determines whether a bucket is on the same disk or machine as the folder that it backs up. */

import { existsSync, readdirSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { basename, dirname, join } from 'node:path';

import type { Placement } from '../../src/control/protection.ts';

/** The file system types whose data is on another machine: NFS, SMB, CIFS, Ceph (statfs(2)). */
const NETWORK_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0x6969, 0xfe534d42, 0xff534d42, 0x00c36400,
]);

/** Returns where the embedded store is. It counts as on the same disk unless it is known to be on another disk. */
export function placementOfStore(folder: string, storeFolder: string): Placement {
  try {
    if (statSync(folder).dev === statSync(storeFolder).dev) return 'same disk';
    if (isOnNetwork(folder) !== isOnNetwork(storeFolder)) return 'elsewhere';
    const [own, others] = [disksOf(folder), disksOf(storeFolder)];
    const areKnown = own.size > 0 && others.size > 0;
    return areKnown && ![...own].some((disk) => others.has(disk)) ? 'elsewhere' : 'same disk';
  } catch {
    return 'same disk';
  }
}

export function placementOfEndpoint(endpoint: string): Placement {
  const host = new URL(endpoint).hostname.replaceAll(/^\[|\]$/gu, '');
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const isHere =
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host.startsWith('127.') ||
    own.some(({ address }) => address === host);
  return isHere ? 'this machine' : 'elsewhere';
}

function isOnNetwork(path: string): boolean {
  return NETWORK_FILE_SYSTEMS.has(statfsSync(path).type);
}

/**
 * Returns the Linux names of the disks that contain the file system. Returns an empty set if they are unknown
 * (tmpfs, Btrfs, macOS).
 */
function disksOf(path: string): ReadonlySet<string> {
  const device = statSync(path).dev;
  // The bits of a device number, as in makedev(3).
  const major = Math.floor(device / 256) % 4_096;
  const minor = (device % 256) + Math.floor(device / 1_048_576) * 256;
  const entry = `/sys/dev/block/${major}:${minor}`;
  return existsSync(entry) ? new Set(disksBelow(realpathSync(entry))) : new Set();
}

function disksBelow(device: string): readonly string[] {
  const slaves = join(device, 'slaves');
  const below = existsSync(slaves) ? readdirSync(slaves) : [];
  // A logical volume, a RAID or an encrypted device is built on other devices.
  if (below.length > 0)
    return below.flatMap((slave) => disksBelow(realpathSync(join(slaves, slave))));
  return [basename(existsSync(join(device, 'partition')) ? dirname(device) : device)];
}
