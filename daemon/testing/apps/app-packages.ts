import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const BACKENDS = {
  /** The SDK's own, the only one that needs no package index. */
  robot: { requires: ['robot-sdk'], backend: 'robot.build' },
  setuptools: { requires: ['setuptools>=68'], backend: 'setuptools.build_meta' },
  hatchling: { requires: ['hatchling'], backend: 'hatchling.build' },
  flit: { requires: ['flit_core>=3.4'], backend: 'flit_core.buildapi' },
} as const;

/** The description of an app's package. By default it is a correct app that needs only the SDK. */
export interface AppPackage {
  readonly name: string;
  /** The name of the entry point, which is the app's; default: `name`. */
  readonly entry?: string;
  readonly distribution?: string;
  /** The folder of its sources; default: `name` as an identifier. */
  readonly package?: string;
  /** The module of the class; default: `<package>.main`. */
  readonly module?: string;
  readonly className?: string;
  readonly version?: string;
  readonly layout?: 'flat' | 'src';
  /** The package's folder in the repository; default: its root. */
  readonly subdirectory?: string;
  readonly dependencies?: readonly string[];
  readonly requiresPython?: string;
  readonly baseline?: boolean;
  readonly buildSystem?: keyof typeof BACKENDS;
  /** Edits the text of pyproject.toml. */
  readonly pyproject?: (text: string) => string;
  /** false: the module only defines the class. */
  readonly mainBlock?: boolean;
  /** The source of its module; default: an app that prints "ready" and waits to be stopped. */
  readonly mainSource?: string;
  /** Files of the package's `static` folder. */
  readonly static?: Readonly<Record<string, string>>;
  /** null: no README. */
  readonly readme?: string | null;
  /** More files, relative to pyproject.toml; they replace the default ones. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/**
 * Writes an app's package into a folder, which is created if missing.
 * @returns the folder of its pyproject.toml
 */
export async function writeAppPackage(repositoryDir: string, app: AppPackage): Promise<string> {
  const folder = join(repositoryDir, app.subdirectory ?? '');
  for (const [path, content] of Object.entries(packageFiles(app))) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return folder;
}

function packageFiles(app: AppPackage): Record<string, string | Uint8Array> {
  const { module, className } = named(app);
  const root = app.layout === 'src' ? 'src/' : '';
  const top = `${root}${module.split('.')[0]}`;
  const stem = `${root}${module.replaceAll('.', '/')}`;
  const isPackage = !module.includes('.');
  const source = app.mainSource ?? appSource({ className });
  const block = app.mainBlock === false ? '' : mainBlock(className);
  const readme = app.readme === undefined ? readmeText(app.name) : app.readme;
  return {
    'pyproject.toml': pyprojectText(app),
    ...(readme !== null && { 'README.md': readme }),
    [`${top}/__init__.py`]: '',
    ...(isPackage
      ? {
          [`${stem}/__init__.py`]: source,
          ...(block && { [`${stem}/__main__.py`]: `from ${module} import ${className}\n${block}` }),
        }
      : { [`${stem}.py`]: app.mainSource === undefined ? `${source}${block}` : source }),
    ...Object.fromEntries(Object.entries(app.static ?? {}).map(([path, text]) => [`${top}/static/${path}`, text])),
    ...app.files,
  };
}

function named(app: AppPackage): { packageName: string; module: string; className: string } {
  const packageName = app.package ?? app.name.replaceAll(/\W/g, '_');
  return { packageName, module: app.module ?? `${packageName}.main`, className: app.className ?? 'App' };
}

function pyprojectText(app: AppPackage): string {
  const { packageName, module, className } = named(app);
  const { requires, backend } = BACKENDS[app.buildSystem ?? 'robot'];
  const root = app.layout === 'src' ? 'src/' : '';
  const own: Partial<Record<keyof typeof BACKENDS, string>> = {
    hatchling: `\n[tool.hatch.build.targets.wheel]\npackages = [${toml(`${root}${packageName}`)}]\n`,
    flit: `\n[tool.flit.module]\nname = ${toml(packageName)}\n`,
  };
  const text = `[build-system]
requires = ${toml(requires)}
build-backend = ${toml(backend)}

[project]
name = ${toml(app.distribution ?? app.name)}
version = ${toml(app.version ?? '1.0.0')}
description = "A test's app."
requires-python = ${toml(app.requiresPython ?? '>=3.10')}
dependencies = ${toml(app.dependencies ?? ['robot-sdk'])}

[project.entry-points.robot_apps]
${toml(app.entry ?? app.name)} = ${toml(`${module}:${className}`)}

[tool.robot]
baseline = ${app.baseline ?? false}
${own[app.buildSystem ?? 'robot'] ?? ''}`;
  return app.pyproject ? app.pyproject(text) : text;
}

/** TOML writes texts and lists of texts like JSON. */
function toml(value: string | readonly string[]): string {
  return JSON.stringify(value);
}

function readmeText(name: string): string {
  return `---\ntitle: ${toml(name)}\nemoji: 🧪\nshort_description: A test's app.\ntags:\n  - robot_python_app\n---\n`;
}

/** The source of an app. `before` precedes the class; `attributes` and `run` are lines of the class and of its `run`. */
export function appSource(parts: {
  readonly className?: string;
  readonly before?: string;
  readonly attributes?: readonly string[];
  readonly run?: readonly string[];
}): string {
  const { className = 'App', before = '', attributes = [], run = [] } = parts;
  const lines = (texts: readonly string[], indent: number) =>
    texts.map((text) => `${' '.repeat(indent)}${text}\n`).join('');
  return `from robot import Robot, RobotApp
${before}

class ${className}(RobotApp):
${lines(attributes, 4)}    def run(self, robot, stop_event):
        print("ready", flush=True)
${lines(run.length > 0 ? run : ['stop_event.wait()', 'print("bye", flush=True)'], 8)}`;
}

/** The block that starts the app when its module is run. */
export function mainBlock(className = 'App'): string {
  return `

if __name__ == "__main__":
    app = ${className}()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`;
}
