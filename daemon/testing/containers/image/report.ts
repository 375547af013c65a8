import { readFileSync, statfsSync } from 'node:fs';

/** How a container was started, as its program sees it: the answer of `/--reported`. */
export interface EngineReport {
  /** The kind of image that it was made for. */
  readonly engine: string;
  /** The command line, from the entry point on. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly uid: number;
  /** The capabilities in use, as a number in hexadecimal digits, without zeros in front. */
  readonly capabilities: string;
  readonly noNewPrivileges: boolean;
  /** Of what was mounted into it, without the file systems of the kernel: where to, and whether it can be written. */
  readonly mounts: readonly { readonly to: string; readonly isReadOnly: boolean }[];
  /** null: no limit. */
  readonly memoryBytes: number | null;
  readonly cpus: number | null;
  readonly sharedMemoryBytes: number;
}

export function report(engine: string): EngineReport {
  const status = readFileSync('/proc/self/status', 'utf8');
  const field = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
  const shared = statfsSync('/dev/shm');
  return {
    engine,
    argv: process.argv.slice(1),
    env: { ...process.env } as Record<string, string>,
    uid: process.getuid?.() ?? -1,
    capabilities: field('CapEff').replace(/^0+(?=.)/, ''),
    noNewPrivileges: field('NoNewPrivs') === '1',
    mounts: mounts(),
    memoryBytes: memoryLimit(),
    cpus: cpuLimit(),
    sharedMemoryBytes: shared.blocks * shared.bsize,
  };
}

/** Folders and files of the machine outside: not of the kernel, nor those that every container gets. */
function mounts(): EngineReport['mounts'] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([, , , , to = '', options = '']) => ({ to, isReadOnly: options.split(',').includes('ro') }))
    .filter(({ to }) => !/^\/(proc|sys|dev|etc|run)(\/|$)/.test(to) && to !== '/');
}

/** A file of the control group, of version 2 or 1; '': there is none. */
function controlGroup(...names: string[]): string {
  for (const name of names) {
    try {
      return readFileSync(`/sys/fs/cgroup/${name}`, 'utf8').trim();
    } catch {}
  }
  return '';
}

function memoryLimit(): number | null {
  const bytes = Number(controlGroup('memory.max', 'memory/memory.limit_in_bytes'));
  return Number.isInteger(bytes) && bytes > 0 && bytes < 2 ** 60 ? bytes : null;
}

function cpuLimit(): number | null {
  const [quota, period] = controlGroup('cpu.max').split(' ');
  const quotaUs = Number(quota || controlGroup('cpu/cpu.cfs_quota_us'));
  const periodUs = Number(period ?? controlGroup('cpu/cpu.cfs_period_us'));
  return quotaUs > 0 && periodUs > 0 ? quotaUs / periodUs : null;
}
