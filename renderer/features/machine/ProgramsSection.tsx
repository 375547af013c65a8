import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RuntimeStatus } from '../../../daemon/contract/endpoints/runtimes.ts';
import { RefreshIcon } from '../../parts/icons.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { ContainerEngine } from './ContainerEngine.tsx';
import { InstallLlamaServer } from './InstallLlamaServer.tsx';
import { latestRuntimeInstall } from './machine-text.ts';
import '../../parts/rows.css';

/** The programs that serve models on this machine, the preferred one first, and the one that runs containers. */
export function ProgramsSection({ mayChange }: { readonly mayChange: boolean }) {
  const loadRuntimes = useDashboard((s) => s.loadRuntimes);
  const loaded = useDashboard((s) => s.runtimes);
  // An install that ends changes the list.
  const installState = useDashboard((s) => latestRuntimeInstall(s.jobs)?.state ?? null);
  useWhenConnected(loadRuntimes, '', installState);
  const list = loaded?.value ?? null;
  return (
    <section className="card stack" aria-labelledby="machine-programs">
      <div className="machine-head">
        <h2 id="machine-programs">Programs that run models</h2>
        {mayChange && <FindAgain />}
      </div>
      {loaded?.state === 'failed' && (
        <FailedNote
          error={loaded.error}
          title="The programs could not be looked up"
          onRetry={() => void loadRuntimes()}
        />
      )}
      {list ? (
        <ul className="machine-rows" aria-label="Programs that run models">
          {list.runtimes.map((runtime) => (
            <Program key={runtime.id} runtime={runtime}>
              {runtime.id === 'llama-server' && <InstallLlamaServer list={list} mayChange={mayChange} />}
            </Program>
          ))}
          <ContainerEngine engine={list.containers} />
        </ul>
      ) : (
        loaded?.state !== 'failed' && <Skeleton rows={2} />
      )}
      <RefusalNote commandKey="runtimes" />
    </section>
  );
}

interface ProgramProps {
  readonly runtime: RuntimeStatus;
  /** How to get it. */
  readonly children: ReactNode;
}

function Program({ runtime, children }: ProgramProps) {
  const { label, version, path, problem, hasGpu } = runtime;
  return (
    <li className="machine-row machine-program">
      <div className="machine-row-text">
        <p>
          <span className="machine-name">{label}</span>{' '}
          {version !== null && !label.includes(version) && <span className="mono">{version}</span>}
        </p>
        {path !== null && <p className="muted small mono machine-path">{path}</p>}
        {problem !== null && <p className="small">{problem}</p>}
      </div>
      {problem === null ? (
        <StateWord tone="done">{hasGpu ? 'ready, uses the graphics card' : 'ready'}</StateWord>
      ) : (
        <StateWord tone="idle">{path === null ? 'not found' : 'not usable'}</StateWord>
      )}
      <div className="machine-row-more">{children}</div>
    </li>
  );
}

function FindAgain() {
  const findRuntimes = useDashboard((s) => s.findRuntimes);
  const finding = useDashboard(isPending('runtimes', 'find'));
  const connected = useDashboard(isConnected);
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<RefreshIcon size={14} />}
      disabled={!connected || finding}
      onClick={() => void findRuntimes()}
    >
      {finding ? 'Looking…' : 'Look again'}
    </Button>
  );
}
