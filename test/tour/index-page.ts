/** Creates the page that shows the drawn screens, with menus for the size and the theme. */

export interface Shown {
  readonly names: readonly string[];
  readonly sizes: readonly string[];
  readonly themes: readonly string[];
}

export function indexPage({ names, sizes, themes }: Shown): string {
  const pictures = names.map(
    (name) =>
      `<h2 id="${name}">${name}</h2>\n<img data-name="${name}" alt="${name}" loading="lazy">`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Holdfast: screens of the dashboard</title>
<style>
  body { font: 16px sans-serif; margin: 1em 2em; background: #777; color: #fff; }
  header { position: sticky; top: 0; background: #777; padding: 0.5em 0; }
  img { display: block; max-width: 100%; }
</style>
<header>
  ${menu('size', sizes)} ${menu('theme', themes)} ${names.length} screens
</header>
${pictures.join('\n')}
<script>
  const show = () => {
    for (const image of document.querySelectorAll('img'))
      image.src = \`\${image.dataset.name}-\${size.value}-\${theme.value}.svg\`;
  };
  const [size, theme] = ['size', 'theme'].map((id) => document.getElementById(id));
  for (const menu of [size, theme]) menu.addEventListener('change', show);
  show();
</script>
</html>
`;
}

function menu(id: string, values: readonly string[]): string {
  const options = values.map((value) => `<option>${value}</option>`);
  return `<label>${id} <select id="${id}">${options.join('')}</select></label>`;
}
