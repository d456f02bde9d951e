/** The schemas of one method, of which both ends need few in most of their lives. */

import type { z } from 'zod';

import type { MethodName } from './messages.ts';

interface MethodSchemas {
  readonly params: z.ZodObject;
  readonly result: z.ZodType;
}

/** Those of all methods take longer to build than Node takes to start: they are loaded with the first that needs it. */
export async function schemasOf(method: MethodName): Promise<MethodSchemas> {
  const { FIRST_METHODS } = await import('./first-messages.ts');
  if (Object.hasOwn(FIRST_METHODS, method))
    return FIRST_METHODS[method as keyof typeof FIRST_METHODS];
  const { METHODS } = await import('./messages.ts');
  return METHODS[method];
}
