import { displayText } from '../shared/display-text.ts';
import { ENTRY_POINT_GROUP } from './manifest.ts';
import type { PackageFiles } from './package-files.ts';
import { type PackageFinding, problem } from './package-finding.ts';

/** Folders whose packages are not the app: those of tests and of dependencies. */
const IGNORED = /(?:^|\/)(?:\.[^/]*|tests?|node_modules|venv|site-packages)\//;
const MAX_READ = 20;
const MAX_NAMED = 5;

/** Explains a folder without an app: the app is in a folder below, or it is a web Space. Null for other cases. */
export async function wrongFolderFinding(files: PackageFiles): Promise<PackageFinding | null> {
  const folders = await packageFolders(files);
  const [first] = folders;
  if (first !== undefined) {
    const named = folders.slice(0, MAX_NAMED).map((folder) => displayText(folder, 120));
    const more = folders.length > MAX_NAMED ? ` and ${folders.length - MAX_NAMED} more` : '';
    return problem(
      'in-subdirectory',
      `The app is in a folder below: ${named.join(', ')}${more}.`,
      `Add #subdirectory=${named[0]} to the address.`,
    );
  }
  const signs = ['app.py', 'requirements.txt'].filter((name) => files.paths.includes(name));
  if (files.pyproject !== null || signs.length === 0) return null;
  return problem(
    'no-pyproject',
    `There is no pyproject.toml, only ${signs.join(' and ')}: this is a web Space, not an app for the robot.`,
  );
}

/** Folders with a pyproject.toml that declares an app; if there are none and no pyproject.toml here, all with one. */
async function packageFolders(files: PackageFiles): Promise<string[]> {
  const found = files.paths
    .filter((path) => path.endsWith('/pyproject.toml') && !IGNORED.test(path))
    .sort((a, b) => a.length - b.length);
  const apps: string[] = [];
  for (const path of found.slice(0, MAX_READ)) {
    if ((await files.read(path))?.includes(ENTRY_POINT_GROUP)) apps.push(path);
  }
  const shown = apps.length > 0 || files.pyproject !== null ? apps : found;
  return shown.map((path) => path.slice(0, -'/pyproject.toml'.length));
}
