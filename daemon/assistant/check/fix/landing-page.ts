import type { AppTexts } from './fix-readme.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The page that visitors of a published app see, for an app without one. */
export function landingPage({ title, description }: AppTexts): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escaped(title)}</title>
    <link rel="stylesheet" href="style.css" />
  </head>
  <body>
    <main>
      <h1>${escaped(title)}</h1>
${description === '' ? '' : `      <p>${escaped(description)}</p>\n`}      <p>To install it, open <b>Apps</b> in Robot Desktop and choose <b>Install</b>.</p>
    </main>
  </body>
</html>
`;
}

export const landingStyle = `:root {
  color-scheme: light dark;
}

body {
  margin: 0;
  padding: 2rem 1rem;
  font:
    16px / 1.6 system-ui,
    sans-serif;
}

main {
  max-width: 40rem;
  margin: 0 auto;
}
`;
