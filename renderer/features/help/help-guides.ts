import checkRules from '../../../docs/check-rules.md?raw';
import containers from '../../../docs/containers.md?raw';
import endpointVariants from '../../../docs/endpoint-variants.md?raw';
import liteRobot from '../../../docs/lite-robot.md?raw';

interface Guide {
  readonly id: string;
  readonly title: string;
  /** Markdown, without its title. */
  readonly markdown: string;
}

const guide = (id: string, title: string, text: string): Guide => ({
  ...{ id, title },
  markdown: text.replace(/^# .*\n+/, ''),
});

/** The guides for users, as they were when the page was built: an installed program has no folder of documents. */
export const guides: readonly Guide[] = [
  guide('lite-robot', 'The robot on USB: plugging it in, permission, messages', liteRobot),
  guide('containers', 'Models in containers: getting Podman or Docker ready', containers),
  guide('endpoint-variants', 'How each engine uses the settings of an endpoint', endpointVariants),
  guide('check-rules', 'The rules of the check of your own apps', checkRules),
];
