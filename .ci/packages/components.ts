/**
 * Lists the components of the packages in the CycloneDX format (https://cyclonedx.org): the
 * dependencies, the npm packages that the build includes in the program, and Node.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import manifest from '../../package.json' with { type: 'json' };
import { NODE_SHA256, NODE_VERSION } from './node-program.ts';
import { npm, ROOT } from './npm.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly scope?: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

interface Components {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
}

/** The property with which npm marks packages that are needed only for development. */
const DEVELOPMENT = 'cdx:npm:package:development';

const NODE = {
  'bom-ref': `nodejs@${NODE_VERSION}`,
  type: 'platform',
  name: 'nodejs',
  version: NODE_VERSION,
  scope: 'required',
  purl: `pkg:generic/node@${NODE_VERSION}?os=linux&arch=x64`,
  // Only the `.deb` and the `.tar.xz` contain Node. The npm package runs with an installed Node.
  properties: [{ name: 'holdfast:packages', value: 'deb, tar.xz' }],
  hashes: [{ alg: 'SHA-256', content: NODE_SHA256 }],
  licenses: [{ license: { id: 'MIT' } }],
};

/**
 * Returns the list of components as JSON. It depends only on the lockfile, the built program,
 * `version` and `epoch`.
 */
export function componentsText(version: string, epoch: number): string {
  const all = npm(['sbom', '--package-lock-only', '--sbom-format=cyclonedx']);
  // npm adds a random serial number, which is optional. Without it, the list is reproducible.
  const {
    serialNumber: _,
    metadata,
    components,
    dependencies,
    ...rest
  } = JSON.parse(all) as Components & { readonly serialNumber: string };
  const joined = new Set(joinedPackages());
  const kept = components.filter((each) => !isForDevelopment(each) || joined.has(each['bom-ref']));
  const root = metadata.component['bom-ref'];
  const refs = new Set([root, NODE['bom-ref'], ...kept.map((each) => each['bom-ref'])]);
  const missing = [...joined].filter((ref) => !refs.has(ref));
  if (missing.length > 0)
    throw new Error(`list components: not in the lockfile: ${missing.join()}`);
  const list = {
    ...rest,
    metadata: {
      ...metadata,
      timestamp: new Date(epoch * 1_000).toISOString(),
      // npm would use the name of the folder as the name of the program.
      component: { ...metadata.component, name: manifest.name, type: 'application', version },
    },
    components: [...kept.map(asRequired), NODE].toSorted(byRef),
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: [...dependsOn, ...(ref === root ? [NODE['bom-ref']] : [])].filter((each) =>
          refs.has(each),
        ),
      })),
  };
  return `${JSON.stringify(list, null, 2)}\n`;
}

function joinedPackages(): string[] {
  return JSON.parse(readFileSync(join(ROOT, 'dist/packages.json'), 'utf8')) as string[];
}

function isForDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name }) => name === DEVELOPMENT);
}

/**
 * Marks a component as required if the program includes it, although `package.json` lists it for
 * development.
 */
function asRequired(component: Component): Component {
  if (!isForDevelopment(component)) return component;
  const joined = { name: 'holdfast:joined', value: 'true' };
  return { ...component, scope: 'required', properties: [joined] };
}

function byRef(a: Component, b: Component): number {
  return a['bom-ref'] < b['bom-ref'] ? -1 : 1;
}
