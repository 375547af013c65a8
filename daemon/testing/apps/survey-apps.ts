import { type AppPackage, appSource, mainBlock } from './app-packages.ts';

const page = '<!doctype html><title>Settings</title>';
/** The pointer that stands for a large file until git has fetched it. */
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 4194304\n`;
const appWith = (parts: Parameters<typeof appSource>[0]) => appSource(parts) + mainBlock();
const paged = (name: string, before: string, ...attributes: string[]): AppPackage => ({
  name,
  mainSource: appWith({ before, attributes }),
});
const stray = {
  'tests/__init__.py': '',
  'tests/test_app.py': 'assert True\n',
  'tools/release.py': 'print("release")\n',
  'config/defaults.py': 'SPEED = 1\n',
  'docs/index.md': '# Docs\n',
};
const findAll = '\n[tool.setuptools.packages.find]\nwhere = ["."]\n';

/**
 * Peculiarities of real apps that the installer and launcher must handle, a package each. Packages with a `buildSystem`,
 * a `baseline` or dependencies beside the SDK need the package index.
 */
export const survey = {
  // Dependencies used but not declared.
  undeclaredDependency: { name: 'leans_on_numpy', baseline: true, mainSource: appWith({ before: 'import numpy' }) },
  undeclaredWithoutBaseline: { name: 'lacks_numpy', mainSource: appWith({ before: 'import numpy' }) },

  // Names: the app's, the distribution's and the package's.
  allNamesDiffer: { name: 'differs', entry: 'wave-bot', distribution: 'Wave.Robot_App', package: 'wavy' },
  dashed: { name: 'dashed-name' },
  srcLayout: { name: 'in_src', layout: 'src' },

  // Modules other than <package>.main.
  moduleApp: { name: 'app_module', module: 'app_module.app' },
  moduleIsPackage: { name: 'whole_package', module: 'whole_package' },
  packageWithoutMain: { name: 'no_main_file', module: 'no_main_file', mainBlock: false },

  // Nothing starts, or the class is missing.
  withoutMainBlock: { name: 'never_starts', mainBlock: false },
  classMissing: { name: 'class_missing', className: 'Missing', mainSource: appWith({}) },

  // Starts without wrapped_run, and checks its arguments.
  bypassesWrappedRun: {
    name: 'own_start',
    mainSource: `${appSource({})}

if __name__ == "__main__":
    import sys, threading

    if sys.argv[1:]:
        sys.exit(f"unexpected arguments: {sys.argv[1:]}")
    with Robot() as robot:
        App().run(robot, threading.Event())
`,
  },

  // Settings pages whose address is not a literal.
  pageConstant: paged('page_constant', 'PAGE = "http://localhost:7861"', 'custom_app_url = PAGE'),
  pageImported: {
    ...paged('page_imported', 'from page_imported.config import PAGE', 'custom_app_url = PAGE'),
    files: { 'page_imported/config.py': 'PAGE = "http://0.0.0.0:7862/"\n' },
  },
  pageFormatted: paged('page_formatted', 'PORT = 7863', 'custom_app_url: str = f"http://0.0.0.0:{PORT}/"'),
  pageReassigned: paged(
    'page_reassigned',
    'custom_app_url = "http://localhost:1"',
    'custom_app_url = "http://localhost:8001"',
  ),
  pageNone: paged('page_none', '', 'custom_app_url = None'),

  // Two apps on one port.
  portOne: paged('port_one', '', 'custom_app_url = "http://0.0.0.0:8042"'),
  portTwo: paged('port_two', '', 'custom_app_url = "http://localhost:8042/"'),

  // One distribution from two places.
  twin: { name: 'twin', version: '1.0.0' },
  otherTwin: { name: 'twin', version: '2.0.0' },
  twinDistribution: { name: 'second_twin', distribution: 'twin', package: 'second_twin' },

  // Folders installed by mistake.
  strayPackages: { name: 'strays', files: stray },
  strayWithSetuptools: {
    name: 'strays_setuptools',
    buildSystem: 'setuptools',
    files: stray,
    pyproject: (text) => text + findAll,
  },

  // Static files missing from the wheel, or missing altogether.
  staticNotPackaged: {
    name: 'static_lost',
    buildSystem: 'setuptools',
    static: { 'index.html': page },
    pyproject: (text) => `${text}\n[tool.setuptools.package-data]\n"*" = ["*.json", "*.flac", "*.onnx"]\n`,
  },
  staticMissing: {
    name: 'static_missing',
    buildSystem: 'setuptools',
    pyproject: (text) => `${text}\n[tool.setuptools.package-data]\nstatic_missing = ["static/*"]\n`,
  },
  staticShipped: { name: 'static_shipped', static: { 'index.html': page, 'main.js': '' } },

  // Below the top of its repository.
  inSubdirectory: { name: 'deep', subdirectory: 'apps/deep' },

  // Requirements that cannot be met.
  impossiblePin: { name: 'impossible_pin', dependencies: ['robot-sdk', 'numpy==0.0.1.dev1'] },
  oldPythonOnly: { name: 'old_python_only', requiresPython: '>=3.8,<3.9' },
  newPythonOnly: { name: 'new_python_only', requiresPython: '>=3.99' },

  // Settings for uv only.
  uvSettings: {
    name: 'uv_settings',
    pyproject: (text) =>
      `${text}\n[tool.uv]\noverride-dependencies = ["numpy<2"]\nconstraint-dependencies = ["scipy<2"]\n`,
  },
  uvWorkspaceSource: {
    name: 'uv_workspace',
    pyproject: (text) => `${text}\n[tool.uv.sources]\nrobot-sdk = { workspace = true }\n`,
  },

  // Names and versions of the SDK.
  sdkUnderscore: { name: 'sdk_underscore', dependencies: ['Robot_SDK>=1.0'] },
  sdkRobot: { name: 'sdk_robot', dependencies: ['robot'] },
  sdkPreRelease: { name: 'sdk_pre_release', dependencies: ['robot-sdk>=1.0.0rc1'] },
  sdkNewerMinor: { name: 'sdk_newer_minor', dependencies: ['robot-sdk>=1.9,<2'] },
  sdkPinned: { name: 'sdk_pinned', dependencies: ['robot-sdk[baseline] == 1.7.3 ; python_version >= "3.10"'] },
  sdkNextMajor: { name: 'sdk_next_major', dependencies: ['robot-sdk>=2'] },
  sdkBeforeFirst: { name: 'sdk_before_first', dependencies: ['robot-sdk<1'] },
  sdkFromGit: { name: 'sdk_from_git', dependencies: ['robot-sdk @ git+https://example.org/sdk.git@main'] },
  withoutSdk: { name: 'without_sdk', dependencies: [] },

  // Files as a hub or an editor leaves them.
  largeFilePointer: { name: 'pointer_source', files: { 'pointer_source/voice.wav': pointer } },
  pointerBeside: { name: 'pointer_beside', files: { 'pictures/demo.gif': pointer } },
  submodules: {
    name: 'submodules',
    files: { '.gitmodules': '[submodule "moves"]\n\tpath = moves\n\turl = ../moves\n' },
  },
  byteOrderMarks: {
    name: 'marked',
    mainSource: `\uFEFF${appWith({})}`,
    readme: '\uFEFF---\ntitle: Marked\ntags: [robot_python_app]\n---\n',
    pyproject: (text) => `\uFEFF${text}`,
  },

  // Work at import, threads, and an ignored SIGINT.
  threadAtImport: {
    name: 'thread_at_import',
    mainSource: appWith({
      before: 'import threading, time\nthreading.Thread(target=time.sleep, args=(3600,), daemon=True).start()',
    }),
  },
  blocksForGood: {
    name: 'blocks_for_good',
    mainSource: appWith({
      before: 'import signal, time',
      attributes: [
        'def __init__(self):',
        '    super().__init__()',
        '    signal.signal(signal.SIGINT, lambda *_: print("not now", flush=True))',
      ],
      run: ['while True:', '    time.sleep(1)'],
    }),
  },

  // Remains of a web Space.
  withoutReadme: { name: 'no_readme', readme: null },
  withoutFrontMatter: { name: 'no_front_matter', readme: '# Only a title\n' },
  besideWebSpace: {
    name: 'beside_space',
    files: { 'app.py': 'import gradio\n', 'requirements.txt': 'gradio==5.50.1.dev1\n' },
  },

  // Names that are ordinary words.
  echo: { name: 'echo' },
  testHelloWorld: { name: 'test_hello_world' },
} as const satisfies Record<string, AppPackage>;

/** A build that never ends and needs no index. */
export const buildThatHangs: AppPackage = {
  name: 'hangs',
  pyproject: (text) =>
    text.replace(/requires = .*\nbuild-backend = .*/, 'requires = []\nbuild-backend = "hanging"\nbackend-path = ["."]'),
  files: {
    'hanging.py': 'import time\n\ndef build_wheel(*_):\n    print("building", flush=True)\n    time.sleep(3600)\n',
  },
};
