/** A daemon whose hub is a fake one of this worker, and what lies on it. */
import { type FakeHub, startFakeHub } from '../daemon/testing/fake-hub.ts';
import { test as base, type DaemonUse } from './fixtures.ts';

/** The daemon of a file's tests, as `DaemonUse`, and what there is on its hub before it first looks. */
export interface HubUse extends DaemonUse {
  readonly spaces: readonly Parameters<FakeHub['addSpace']>[0][];
  /** Tokens by the name of the account that they are of. */
  readonly tokens?: Readonly<Record<string, string>>;
}

export const test = base.extend<object, { hub: FakeHub; hubUse: HubUse }>({
  hubUse: [
    { of: '', spaces: [] },
    { option: true, scope: 'worker' },
  ],
  hub: [
    async ({ hubUse: { spaces, tokens = {} } }, use) => {
      await using hub = await startFakeHub();
      for (const space of spaces) await hub.addSpace(space);
      for (const [name, token] of Object.entries(tokens)) hub.addToken(token, { name, role: 'read' });
      await use(hub);
    },
    { scope: 'worker' },
  ],
  daemonUse: async ({ hub, hubUse: { of, apps = [], args = [] } }, use) =>
    use({ of, apps, args: [...args, '--hub', hub.url] }),
});

interface HubApp {
  readonly name: string;
  readonly title: string;
  readonly version?: string;
  readonly description?: string;
  readonly emoji?: string;
  /** The body of its `run`, without indentation. */
  readonly run?: string;
}

/** The files of a small app that installs without a network: it says its version, then waits for its stop. */
export function appFiles({ name, title, version = '1.0.0', description, emoji = '💃', run }: HubApp) {
  const body = run ?? `print("${name} ${version}", flush=True)\nstop_event.wait()`;
  return {
    'README.md': `---
title: ${title}
emoji: ${emoji}
short_description: ${description ?? `${title} does what it says.`}
tags:
  - robot_python_app
---

# ${title}

${title} does what it says, until it is stopped.
`,
    'pyproject.toml': `[build-system]
requires = ["robot-sdk"]
build-backend = "robot.build"

[project]
name = "${name}"
version = "${version}"
description = "${title} does what it says."
requires-python = ">=3.10"
dependencies = ["robot-sdk"]

[project.entry-points.robot_apps]
${name} = "${name}.main:Main"

[tool.robot]
baseline = false
`,
    [`${name}/__init__.py`]: '',
    [`${name}/main.py`]: `import threading

from robot import Robot, RobotApp


class Main(RobotApp):
    def run(self, robot: Robot, stop_event: threading.Event) -> None:
        ${body.replaceAll('\n', '\n        ')}


if __name__ == "__main__":
    app = Main()
    try:
        app.wrapped_run()
    except KeyboardInterrupt:
        app.stop()
`,
  };
}
