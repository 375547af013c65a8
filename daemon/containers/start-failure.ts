import { ContainerStartFailed, type StartProblem } from './errors.ts';

interface Reading {
  readonly kind: StartProblem;
  readonly pattern: RegExp;
  /** `$<name>`: a part of the text that the pattern names. */
  readonly message: string;
  readonly action: string;
}

const CORRECT_COMMAND = 'Correct its command, or choose another image.';

/** The texts of Docker, Podman and the programs below them. */
const readings: readonly Reading[] = [
  {
    kind: 'image',
    pattern: /no such image|image not known/i,
    message: 'Its image is no longer on this machine.',
    action: 'Start the endpoint again, which downloads it.',
  },
  {
    kind: 'gpu',
    pattern: /could not select device driver|cdi|nvidia|libcuda/i,
    message: 'The container engine gives it no graphics card.',
    action: "Install NVIDIA's container toolkit.",
  },
  {
    kind: 'command',
    pattern: /(?:exec:? |executable file )["`](?<program>[^"`]+)["`]:? .*(?:no such file|not found)/i,
    message: 'The image has no program $<program>.',
    action: CORRECT_COMMAND,
  },
  {
    kind: 'command',
    pattern: /exec:? "(?<program>[^"]+)": .*permission denied/i,
    message: 'In the image, $<program> is no program that may be run.',
    action: CORRECT_COMMAND,
  },
  {
    kind: 'command',
    pattern: /exec:? "?(?<program>[^":]+)"?: .*exec format error/i,
    message: 'The program $<program> of the image is not for this processor.',
    action: CORRECT_COMMAND,
  },
  {
    kind: 'command',
    pattern: /executable file not found|no command specified|not found in \$PATH/i,
    message: 'The program to run is not in the image, or none is named.',
    action: CORRECT_COMMAND,
  },
  {
    kind: 'mount',
    pattern: /bind source path|mounts denied|file sharing|statfs .*no such file|error mounting|invalid mount/i,
    message: 'A folder of the model cannot be mounted.',
    action: 'Share the data folder with the container engine in its settings.',
  },
  {
    kind: 'limit',
    pattern: /memory limit|range of cpus|nanocpus|cgroup|shm ?size/i,
    message: 'The container engine refuses its limit of memory or processors.',
    action: 'Give it more memory, or fewer processors.',
  },
  {
    kind: 'disk-full',
    pattern: /no space left on device/i,
    message: 'The disk of the container engine is full.',
    action: 'Free space on it.',
  },
  {
    kind: 'port',
    pattern: /port is already allocated|address already in use|bind for .* failed|failed to expose ports/i,
    message: 'The container engine found no free port.',
    action: 'Start the endpoint again.',
  },
];

const MAX_TEXT = 300;
/** A line of the log of runc or crun, which Podman passes on. */
const LOG_LINE = /\bmsg="(?<message>(?:[^"\\]|\\.)*)"/;

/** Turns an engine's text about a container that does not start into a failure for a person. */
export function startFailure(text: string): ContainerStartFailed {
  const words = text.trim().replaceAll('\\"', '"');
  for (const { kind, pattern, message, action } of readings) {
    const found = pattern.exec(words);
    if (!found) continue;
    const own = message.replace('$<program>', found.groups?.['program'] ?? '');
    return new ContainerStartFailed(kind, own, action, text.trim());
  }
  const cause = LOG_LINE.exec(text)?.groups?.['message']?.replaceAll('\\"', '"') ?? words;
  const sentence = cause.slice(0, MAX_TEXT).replace(/[.\s]*$/, '.');
  const message = `The container engine does not start the container: ${sentence}`;
  return new ContainerStartFailed('other', message, "Look at the container engine's own log.", text.trim());
}
