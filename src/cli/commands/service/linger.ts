/** Checks whether the services of a user keep running after the user logs out (see loginctl(1)). */

import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';

/** Returns a hint if the services end when the user logs out. Otherwise returns no line. */
export function lingerHint(): string[] {
  if (process.platform !== 'linux') return [];
  const { username } = userInfo();
  if (existsSync(`/var/lib/systemd/linger/${username}`)) return [];
  return [
    `the service stops when ${username} logs out; to keep it running: sudo loginctl enable-linger ${username}`,
  ];
}
