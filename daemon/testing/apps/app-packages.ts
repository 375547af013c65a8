import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const BACKENDS = {
  /** The SDK's own: the only one that needs no package index. */
  robot: { requires: ['robot-sdk'], backend: 'robot.build' },
  setuptools: { requires: ['setuptools>=68'], backend: 'setuptools.build_meta' },
  hatchling: { requires: ['hatchling'], backend: 'hatchling.build' },
  flit: { requires: ['flit_core>=3.4'], backend: 'flit_core.buildapi' },
} as const;

/** An app's package as an author might write it. What is left out is as in a proper app that needs only the SDK. */
export interface AppPackage {
  readonly name: string;
  /** The name of the entry point, which is the app's; `name` otherwise. */
  readonly entry?: string;
  readonly distribution?: string;
  /** The folder of its sources; `name` as an identifier otherwise. */
  readonly package?: string;
  /** Where the class is; `<package>.main` otherwise. */
  readonly module?: string;
  readonly className?: string;
  readonly version?: string;
  readonly layout?: 'flat' | 'src';
  /** The folder of the repository that the package is in. */
  readonly subdirectory?: string;
  readonly dependencies?: readonly string[];
  readonly requiresPython?: string;
  readonly baseline?: boolean;
  readonly buildSystem?: keyof typeof BACKENDS;
  /** Changes the text of pyproject.toml. */
  readonly pyproject?: (text: string) => string;
  /** false: its module only defines the class. */
  readonly mainBlock?: boolean;
  /** The whole of its module, instead of an app that says "ready" and waits to be stopped. */
  readonly mainSource?: string;
  /** Files of the package's `static` folder. */
  readonly static?: Readonly<Record<string, string>>;
  /** null: there is none. */
  readonly readme?: string | null;
  /** More files, beside pyproject.toml; they replace those that are written anyway. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/**
 * Writes an app's package into a folder, which may be new.
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

/** Texts and lists of texts are written in TOML as in JSON. */
function toml(value: string | readonly string[]): string {
  return JSON.stringify(value);
}

function readmeText(name: string): string {
  return `---\ntitle: ${toml(name)}\nemoji: 🧪\nshort_description: A test's app.\ntags:\n  - robot_python_app\n---\n`;
}

/** Source of an app. `before` stands above the class, `attributes` and `run` are lines of the class and of its `run`. */
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

/** What starts the app when its module is run. */
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
