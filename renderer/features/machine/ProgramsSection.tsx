import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ContainerEngineStatus, RuntimeList, RuntimeStatus } from '../../../daemon/contract/endpoints/runtimes.ts';
import { hrefOf } from '../../navigation/route.ts';
import { CommandLine } from '../../parts/CommandLine.tsx';
import { InstallIcon, RefreshIcon } from '../../parts/icons.tsx';
import { FailedNote } from '../../parts/notes/FailedNote.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Skeleton } from '../../parts/notes/Skeleton.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';
import { isActive } from '../activity/install-jobs.ts';
import { useJobFailure } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import { downloadText, latestRuntimeInstall } from './machine-text.ts';
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

/** The program that runs containers on this machine; if there is none, why, and how to get one. */
function ContainerEngine({ engine }: { readonly engine: ContainerEngineStatus }) {
  const { label, socket, isRootless, hasGpu, problem, action, command } = engine;
  return (
    <li className="machine-row machine-program">
      <div className="machine-row-text">
        <p>
          <span className="machine-name">{label ?? 'Container engine'}</span>
        </p>
        <p className="muted small">Runs the engines beside llama.cpp, such as vLLM, SGLang and TEI.</p>
        {socket !== null && (
          <p className="muted small machine-path">
            <span className="mono">{socket}</span>
            {isRootless && ' · without the rights of root'}
          </p>
        )}
        {problem !== null && (
          <p className="small">
            {problem} {action}
          </p>
        )}
        {command !== null && <CommandLine command={command} purpose="gets the container engine ready" />}
      </div>
      {problem === null ? (
        <StateWord tone="done">{hasGpu ? 'ready, uses the graphics card' : 'ready'}</StateWord>
      ) : (
        <StateWord tone="idle">not ready</StateWord>
      )}
    </li>
  );
}

interface InstallLlamaServerProps {
  readonly list: RuntimeList;
  readonly mayChange: boolean;
}

/** Installs llama-server, unless a usable one is here; its progress replaces the button. */
export function InstallLlamaServer({ list: { runtimes, installable }, mayChange }: InstallLlamaServerProps) {
  const job = useDashboard((s) => latestRuntimeInstall(s.jobs));
  const installLlamaServer = useDashboard((s) => s.installLlamaServer);
  const pending = useDashboard(isPending('runtimes', 'install'));
  const connected = useDashboard(isConnected);
  const { failure, dismiss } = useJobFailure(job);
  const isHere = runtimes.some(({ id, problem }) => id === 'llama-server' && problem === null);
  if (job && isActive(job)) return <JobProgress job={job} name="llama-server" />;
  if (isHere) return null;
  if (installable.problem !== null) {
    return <p className="muted small">llama-server cannot be downloaded here: {installable.problem}</p>;
  }
  return (
    <div className="stack">
      {failure && (
        <FailureNote failure={failure} actions={<a href={hrefOf('activity')}>See the log</a>} onDismiss={dismiss} />
      )}
      <div className="row">
        {mayChange && (
          <Button
            variant={runtimes.some(({ problem }) => problem === null) ? 'default' : 'filled'}
            leftSection={<InstallIcon size={16} />}
            disabled={!connected || pending}
            loading={pending}
            onClick={() => void installLlamaServer()}
          >
            {job?.state === 'failed' ? 'Install llama-server again' : 'Install llama-server'}
          </Button>
        )}
        <span className="muted small">
          llama-server reads images and runs models that the bundled program does not.{' '}
          {mayChange ? downloadText(installable) : 'Sign in to install it.'}
        </span>
      </div>
    </div>
  );
}
