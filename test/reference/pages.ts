/**
 * Lists the files of docs/reference that are generated, either completely or in marked sections.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { keysTables } from './dashboard-keys-page.ts';
import { commandsTables } from './commands-page.ts';
import { configurationTables, exampleBlock, jobOptionsTable } from './configuration-page.ts';
import {
  commandErrorsTable,
  controlErrorsTable,
  exitCodesTable,
  storageErrorsTable,
  transportErrorsTable,
} from './errors-page.ts';
import { metricsTable } from './metrics-page.ts';
import {
  eventsTable,
  methodsTable,
  notificationsTable,
  schemaDocument,
  shapesTable,
} from './protocol-page.ts';

export const FOLDER = join(import.meta.dirname, '../../docs/reference');

/** Returns the content that each generated file must have, by its file name in `FOLDER`. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  return {
    'commands.md': withSections('commands.md', {
      commands: await commandsTables(),
    }),
    'configuration.md': withSections('configuration.md', {
      options: configurationTables(),
      'job options': jobOptionsTable(),
      example: exampleBlock(),
    }),
    'errors.md': withSections('errors.md', {
      'exit codes': exitCodesTable(),
      'command errors': commandErrorsTable(),
      'transport errors': transportErrorsTable(),
      'storage errors': storageErrorsTable(),
    }),
    'metrics.md': withSections('metrics.md', { metrics: metricsTable() }),
    'control-protocol.md': withSections('control-protocol.md', {
      errors: controlErrorsTable(),
      methods: methodsTable(),
      shapes: shapesTable(),
      notifications: notificationsTable(),
      events: eventsTable(),
    }),
    'dashboard-keys.md': withSections('dashboard-keys.md', { keys: keysTables() }),
    'control-protocol.schema.json': schemaDocument(),
  };
}

/**
 * Returns the page with these generated sections. Throws an error if the page has no markers for a
 * section.
 */
function withSections(file: string, sections: Readonly<Record<string, string>>): string {
  let page = readFileSync(join(FOLDER, file), 'utf8');
  for (const [name, text] of Object.entries(sections)) {
    const [begin, end] = [`<!-- generated: ${name} -->\n`, `<!-- end: ${name} -->\n`];
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${file} has no section "${name}"`);
    page = `${page.slice(0, from)}${begin}\n${text}\n\n${page.slice(to)}`;
  }
  return page;
}
