import type { AppSource, RequestedSource } from './app-source.ts';

// Apart from the schemas, which a page must not load before it shows anything.

/** The commit of a source; null: it has none. */
export function commitOf(source: AppSource): string | null {
  return 'commit' in source ? source.commit : null;
}

/** The address of a source, for a person. */
export function sourceText(source: RequestedSource): string {
  switch (source.kind) {
    case 'folder':
      return source.path;
    case 'sample':
      return `the sample ${source.sample}`;
    case 'git':
      return source.subdirectory ? `${source.url}#subdirectory=${source.subdirectory}` : source.url;
    case 'space':
      return `${source.hub}/spaces/${source.id}${source.subdirectory ? `#subdirectory=${source.subdirectory}` : ''}`;
  }
}
