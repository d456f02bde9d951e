/** Whether a person's services go on when nobody is logged in: loginctl(1). */

import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';

export function lingerHint(): string[] {
  if (process.platform !== 'linux') return [];
  const { username } = userInfo();
  if (existsSync(`/var/lib/systemd/linger/${username}`)) return [];
  return [
    `it ends when ${username} logs out; to have it run always: sudo loginctl enable-linger ${username}`,
  ];
}
