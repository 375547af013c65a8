import { displayText } from '../shared/display-text.ts';
import { ENTRY_POINT_GROUP, readManifest } from './manifest.ts';
import type { PackageFiles } from './package-files.ts';
import { type AppBelow, type PackageFinding, problem } from './package-finding.ts';

/** Folders whose packages are not the app: those of tests and of dependencies. */
const IGNORED = /(?:^|\/)(?:\.[^/]*|tests?|node_modules|venv|site-packages|__pycache__)\//;
/** Limit of the files that are read; each is a download in a Space. */
const MAX_READ = 50;
const MAX_NAMED = 5;

/** Whether a folder declares no app at its top, whatever is below. */
export const declaresNoApp = ({ pyproject }: Pick<PackageFiles, 'pyproject'>): boolean =>
  !pyproject?.includes(ENTRY_POINT_GROUP);

/** Explains a folder without an app: apps are in folders below, or it is a web Space. Null for other cases. */
export async function wrongFolderFinding(files: PackageFiles): Promise<PackageFinding | null> {
  const { apps, packages } = await packagesBelow(files);
  const [app, ...others] = apps;
  if (app && others.length > 0) {
    return {
      ...problem(
        'several-apps',
        `The apps are in folders below: ${firstOf(apps.map(({ name }) => name))}.`,
        'Choose one of them.',
      ),
      apps,
    };
  }
  if (app) {
    const folder = displayText(app.folder, 120);
    return {
      ...problem('in-subdirectory', `The app ${app.name} is in a folder below: ${folder}.`, subdirectoryAdvice(folder)),
      apps,
    };
  }
  const [first] = packages;
  if (first !== undefined && files.pyproject === null) {
    const folders = packages.map((folder) => displayText(folder, 120));
    const message = `Python packages are in folders below, none of which declares an app: ${firstOf(folders)}.`;
    return problem('in-subdirectory', message, subdirectoryAdvice(displayText(first, 120)));
  }
  const signs = ['app.py', 'requirements.txt'].filter((name) => files.paths.includes(name));
  if (files.pyproject !== null || signs.length === 0) return null;
  return problem(
    'no-pyproject',
    `There is no pyproject.toml, only ${signs.join(' and ')}: this is a web Space, not an app for the robot.`,
  );
}

const subdirectoryAdvice = (folder: string) => `Add #subdirectory=${folder} to the address.`;

function firstOf(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** The folders below that declare an app, and all that hold a package; the ones nearest to the top first. */
async function packagesBelow(files: PackageFiles): Promise<{ apps: AppBelow[]; packages: string[] }> {
  const packages = files.paths
    .filter((path) => path.endsWith('/pyproject.toml') && !IGNORED.test(path))
    .map((path) => path.slice(0, -'/pyproject.toml'.length))
    .sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  const apps: AppBelow[] = [];
  for (const folder of packages.slice(0, MAX_READ)) {
    const text = await files.read(`${folder}/pyproject.toml`);
    if (!text?.includes(ENTRY_POINT_GROUP)) continue;
    const name = readManifest(text, null).manifest?.name ?? folder.split('/').at(-1) ?? folder;
    apps.push({ name: displayText(name, 64), folder });
  }
  return { apps, packages };
}

const depthOf = (folder: string) => folder.split('/').length;
