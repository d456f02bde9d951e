/**
 * Edits a text of several lines, such as a policy, in the user's editor. If no editor is set, the user can paste the
 * text.
 */

import type { Ui } from '../ui/ui.ts';
import { FormOverlay } from '../widgets/form.ts';
import { MenuOverlay } from '../widgets/menu.ts';
import type { MenuItem } from '../widgets/menu.ts';
import { TextBox } from '../widgets/text-box.ts';

export interface EditableDocument {
  readonly title: string;
  /** The file name that the editor sees. Its extension selects the highlighting. */
  readonly fileName: string;
  /** The current text, or an example if the document does not exist yet. */
  readonly text: string;
  readonly isNew: boolean;
  /** Saves the edited text. Rejects with the reason if the text is refused. */
  readonly save: (text: string) => Promise<void>;
  readonly remove?: () => Promise<void>;
}

export function openDocument(ui: Ui, document: EditableDocument): void {
  const { title, text, isNew, remove } = document;
  const lines = text.split('\n').map((line) => ui.look.name(line));
  const none = isNew ? 'it is not set' : undefined;
  const items: MenuItem[] = [
    { title: 'show it', why: none, run: () => ui.openOverlay(new TextBox(ui, title, lines)) },
    {
      title: isNew ? 'write it in your editor' : 'edit it in your editor',
      run: () => edit(ui, document, text),
    },
    { title: 'paste the whole document', run: () => paste(ui, document) },
    ...(remove
      ? [{ title: 'remove it', why: none, run: () => removed(ui, document, remove) }]
      : []),
  ];
  ui.openOverlay(new MenuOverlay(ui, title, items));
}

/** Opens the editor and saves the result. If the text is refused, the user can edit it again. */
async function edit(ui: Ui, document: EditableDocument, text: string): Promise<void> {
  const edited = await ui.outside.edit(text, document.fileName);
  // An example that the user did not edit is not saved.
  if (edited.trim() === '' || edited === document.text) {
    return ui.warn(`${document.title}: nothing was changed`);
  }
  try {
    await document.save(edited);
  } catch (error) {
    const items = [{ title: 'edit it again', run: () => edit(ui, document, edited) }];
    ui.openOverlay(new MenuOverlay(ui, `${document.title}: refused`, items));
    throw error;
  }
}

function paste(ui: Ui, document: EditableDocument): void {
  ui.openOverlay(
    new FormOverlay(ui, {
      title: document.title,
      fields: [
        {
          name: 'text',
          label: 'document',
          help: 'paste it here; line breaks are removed, and the JSON stays the same',
          check: jsonProblem,
        },
      ],
      submit: ({ text = '' }) => document.save(text),
    }),
  );
}

async function removed(
  ui: Ui,
  { title }: EditableDocument,
  remove: () => Promise<void>,
): Promise<void> {
  const facts = ['Holdfast keeps no copy of it.'];
  if (await ui.ask({ title: `Remove: ${title}?`, facts })) await remove();
}

export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return 'this is not valid JSON';
  }
}
