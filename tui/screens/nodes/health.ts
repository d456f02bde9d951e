/** Formats the health of a cluster or a node group as one line. */

import type { Look } from '../../theme/look.ts';
import type { Nodegroup } from './cluster-data.ts';

export function healthText({ issues }: Nodegroup['health'], look: Look): string {
  const [first] = issues;
  if (!first) return look.paint('good', `${look.glyphs.dot} no issues`);
  const more = issues.length > 1 ? ` and ${issues.length - 1} more` : '';
  return look.paint('bad', `! ${look.name(`${first.code}: ${first.message}`)}${more}`);
}
