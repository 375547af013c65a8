import { ContainerStartFailed, type StartProblem } from '../errors.ts';

interface Reading {
  readonly kind: StartProblem;
  readonly pattern: RegExp;
  readonly message: string;
  readonly action: string;
}

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
    pattern:
      /executable file not found|exec format error|exec: .*(no such file|permission denied)|no command specified|not found in \$PATH/i,
    message: 'The program that it is to run is not in its image, or not for this processor.',
    action: 'Correct its command, or choose another image.',
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

/** Turns an engine's text about a container that does not start into a failure for a person. */
export function startFailure(text: string): ContainerStartFailed {
  const { kind, message, action } = readings.find(({ pattern }) => pattern.test(text)) ?? {
    kind: 'other' as const,
    message: 'The container engine does not start the container.',
    action: "Look at the container engine's own log.",
  };
  return new ContainerStartFailed(kind, `${message} (${text.trim().slice(0, MAX_TEXT)})`, action);
}
