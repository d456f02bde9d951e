/** The schemas of one method, of which both ends need few in most of their lives. */

import type { z } from 'zod';

import { FIRST_METHODS } from './first-messages.ts';
import type { MethodName } from './messages.ts';

interface MethodSchemas {
  readonly params: z.ZodObject;
  readonly result: z.ZodType;
}

/** Those of all methods take longer to build than Node takes to start: they are loaded with the first that needs it. */
export async function schemasOf(method: MethodName): Promise<MethodSchemas> {
  if (isFirst(method)) return FIRST_METHODS[method];
  const { METHODS } = await import('./messages.ts');
  return METHODS[method];
}

function isFirst(method: MethodName): method is keyof typeof FIRST_METHODS {
  return Object.hasOwn(FIRST_METHODS, method);
}
