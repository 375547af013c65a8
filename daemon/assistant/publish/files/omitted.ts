import { holdsSecrets, isOmitted } from '../../../app-package/omitted-files.ts';

/** Files of systems, which a publication leaves out even where no .gitignore names them. */
const ofSystems = new Set(['.ipynb_checkpoints', '.DS_Store', 'Thumbs.db', 'desktop.ini']);
const environments = new Set(['.venv', 'venv']);
/** Drafts of a publication that was interrupted. */
const DRAFT = /^\..*\.unfinished$/;

const KEYS = /^(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.pypirc|\.npmrc)$/i;

export type Omission = 'of-tools' | 'environment' | 'secrets';

/**
 * Whether a publication leaves out a file or a folder because of its name.
 * @param path from the app's folder, with slashes
 */
export function omissionOf(path: string): Omission | null {
  const parts = path.split('/');
  if (parts.some((part) => environments.has(part))) return 'environment';
  const name = parts.at(-1) ?? '';
  if (holdsSecrets(name) || KEYS.test(name)) return 'secrets';
  const isOfTools = parts.some((part, at) => isOmitted(part, at === 0) || ofSystems.has(part) || DRAFT.test(part));
  return isOfTools || name.endsWith('.pyc') ? 'of-tools' : null;
}
