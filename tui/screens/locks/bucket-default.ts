/** Returns the default retention of a job's bucket, which applies regardless of the job's settings. */

import type { Ui } from '../../ui/ui.ts';
import { asked } from '../../data/place.ts';
import { periodText } from '../../text/locks.ts';

export async function readDefault(ui: Ui, name: string, signal: AbortSignal): Promise<string> {
  const job = ui.status.job(name);
  if (!job) return '';
  const { target, bucket } = job;
  const { defaultRetention } = await ui.call('locks.get', asked({ target, bucket }), { signal });
  if (!defaultRetention) return 'none';
  return `${defaultRetention.mode[0]} ${periodText(defaultRetention)}`;
}
