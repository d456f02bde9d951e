/** Lists all fuzz targets that do not need a running service. */

import type { FuzzTarget } from '../target.ts';
import { DOCUMENT_TARGETS } from './document-targets.ts';
import { FORM_TARGETS } from './form-targets.ts';
import { IGNORE_TARGETS } from './ignore-targets.ts';
import { POLICY_TARGETS } from './policy-targets.ts';

export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  ...POLICY_TARGETS,
  ...DOCUMENT_TARGETS,
  ...IGNORE_TARGETS,
  ...FORM_TARGETS,
];
