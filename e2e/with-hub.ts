/** Fixtures with a fake hub for each worker, and the files of apps for it. */
import { type FakeHub, startFakeHub } from '../daemon/testing/fake-hub.ts';
import { test as base, type DaemonOptions } from './fixtures.ts';

/** Options of the daemon, and the hub's content before the daemon first reads it. */
export interface HubOptions extends DaemonOptions {
  readonly spaces: readonly Parameters<FakeHub['addSpace']>[0][];
  /** Tokens by account name. */
  readonly tokens?: Readonly<Record<string, string>>;
}

export const test = base.extend<object, { hub: FakeHub; hubOptions: HubOptions }>({
  hubOptions: [
    { name: '', spaces: [] },
    { option: true, scope: 'worker' },
  ],
  hub: [
    async ({ hubOptions: { spaces, tokens = {} } }, use) => {
      await using hub = await startFakeHub();
      for (const space of spaces) await hub.addSpace(space);
      for (const [name, token] of Object.entries(tokens)) hub.addToken(token, { name, role: 'read' });
      await use(hub);
    },
    { scope: 'worker' },
  ],
  daemonOptions: async ({ hub, hubOptions: { name, apps = [], args = [] } }, use) =>
    use({ name, apps, args: [...args, '--hub', hub.url] }),
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

/** The files of a small app that installs without a network, prints its version and waits for its stop. */
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
