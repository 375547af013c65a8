import type { ReactNode } from 'react';
import type { GraphicsCards } from '../../../daemon/contract/compute/graphics-cards.ts';
import type { ContainerEngineStatus, RuntimeList, RuntimeStatus } from '../../../daemon/contract/endpoints/runtimes.ts';
import { hrefOf } from '../../navigation/route.ts';
import { SendButton } from '../../parts/actions/buttons.tsx';
import { CommandLine } from '../../parts/actions/CommandLine.tsx';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { InstallIcon, RefreshIcon } from '../../parts/icons.tsx';
import { FailureNote } from '../../parts/notes/FailureNote.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';
import { Section } from '../../parts/Section.tsx';
import { answered } from '../../slices/base/answers.ts';
import { isPending } from '../../slices/base/commands.ts';
import { graphicsCardsKey } from '../../slices/models/graphics-cards.ts';
import { runtimesKey } from '../../slices/models/model-files-slice.ts';
import { useAskedAfter } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { isActive } from '../activity/install-jobs.ts';
import { useJobFailure } from '../activity/JobFailure.tsx';
import { JobProgress } from '../activity/JobProgress.tsx';
import {
  containersText,
  downloadText,
  installLabel,
  installReason,
  latestRuntimeInstall,
  onlyBundledText,
  signInToInstallText,
} from './machine-text.ts';
import '../../parts/rows.css';

/** The programs that serve models on this machine, the preferred one first, and the one that runs containers. */
export function ProgramsSection({ mayChange }: { readonly mayChange: boolean }) {
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  const finding = useDashboard(isPending('runtimes', 'find'));
  // An install that ends changes the list, and a graphics card that fails or can be used again.
  const change = useDashboard((s) => {
    const { isOn = true, problem = null } = answered<GraphicsCards>(graphicsCardsKey)(s) ?? {};
    return [latestRuntimeInstall(s.jobs)?.state ?? '', isOn, problem?.message ?? ''].join();
  });
  const asked = useAskedAfter<RuntimeList>(change, runtimesKey, (call, signal) => call('listRuntimes', { signal }));
  async function lookAgain(): Promise<void> {
    const found = await send('runtimes', (call) => call('findRuntimes'), 'find');
    if (found) setAnswer(runtimesKey, found);
  }
  return (
    <Section
      title="Programs that run models"
      headClass="row bar machine-head"
      beside={
        mayChange && (
          <SendButton
            disabled={finding}
            leftSection={<RefreshIcon size={14} />}
            onClick={() => void lookAgain()}
            copies={callAction('Look again', 'findRuntimes')}
          >
            {finding ? 'Looking…' : 'Look again'}
          </SendButton>
        )
      }
    >
      <LoadedPart of={asked} failure="The programs could not be looked up" rows={2}>
        {(list) => (
          <ul className="machine-rows" aria-label="Programs that run models">
            {list.runtimes.map((runtime) => (
              <Program key={runtime.id} runtime={runtime}>
                {runtime.id === 'llama-server' && <InstallLlamaServer list={list} mayChange={mayChange} />}
              </Program>
            ))}
            <ContainerEngine engine={list.containers} />
          </ul>
        )}
      </LoadedPart>
      <RefusalNote commandKey="runtimes" />
    </Section>
  );
}

interface ProgramRowProps {
  readonly name: ReactNode;
  readonly isReady: boolean;
  readonly hasGpu: boolean;
  /** Its state if it is not ready. */
  readonly otherwise: string;
  /** Below the name. */
  readonly children: ReactNode;
  /** Below all, at full width. */
  readonly more?: ReactNode;
}

function ProgramRow({ name, isReady, hasGpu, otherwise, children, more }: ProgramRowProps) {
  const ready = hasGpu ? 'ready, uses the graphics card' : 'ready';
  return (
    <li className="row machine-row machine-program">
      <div className="machine-row-text">
        <p>{name}</p>
        {children}
      </div>
      <StateWord tone={isReady ? 'done' : 'idle'}>{isReady ? ready : otherwise}</StateWord>
      {more && <div className="machine-row-more">{more}</div>}
    </li>
  );
}

/** @param children how to get it */
function Program({ runtime, children }: { readonly runtime: RuntimeStatus; readonly children: ReactNode }) {
  const { id, label, version, path, problem, hasGpu } = runtime;
  // Its state says all: what gets it is below.
  const isMissing = id === 'llama-server' && path === null;
  const versionText = version !== null && !label.includes(version) && <span className="mono">{version}</span>;
  return (
    <ProgramRow
      name={
        <>
          <span className="machine-name">{label}</span> {versionText}
        </>
      }
      isReady={problem === null}
      hasGpu={hasGpu}
      otherwise={path === null ? 'not installed' : 'not usable'}
      more={children}
    >
      {path !== null && <p className="muted small mono anywhere">{path}</p>}
      {problem !== null && !isMissing && <p className="small">{problem}</p>}
    </ProgramRow>
  );
}

/** The program that runs containers on this machine; if there is none, why, and how to get one. */
function ContainerEngine({ engine }: { readonly engine: ContainerEngineStatus }) {
  const { label, socket, isRootless, hasGpu, problem, action, command } = engine;
  return (
    <ProgramRow
      name={<span className="machine-name">{label ?? 'Container engine'}</span>}
      isReady={problem === null}
      hasGpu={hasGpu}
      otherwise="not ready"
    >
      <p className="muted small">{containersText}</p>
      {socket !== null && (
        <p className="muted small anywhere">
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
    </ProgramRow>
  );
}

interface InstallLlamaServerProps {
  readonly list: RuntimeList;
  readonly mayChange: boolean;
}

/** Installs llama-server, unless one is here that uses what this machine has; its progress replaces the button. */
export function InstallLlamaServer({ list: { runtimes, installable }, mayChange }: InstallLlamaServerProps) {
  const job = useDashboard((s) => latestRuntimeInstall(s.jobs));
  const installLlamaServer = useDashboard((s) => s.installLlamaServer);
  const { failure, dismiss } = useJobFailure(job);
  const isHere = runtimes.some(({ id, problem }) => id === 'llama-server' && problem === null);
  const hasCard = runtimes.some(({ id, hasGpu }) => id === 'bundled' && hasGpu);
  if (job && isActive(job)) return <JobProgress job={job} name="llama-server" />;
  if (isHere && !installable.replaces) return null;
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
          <SendButton
            commandKey="runtimes"
            command="install"
            size="sm"
            variant={runtimes.some(({ problem }) => problem === null) ? 'default' : 'filled'}
            leftSection={<InstallIcon size={16} />}
            onClick={() => void installLlamaServer()}
            copies={callAction('Install', 'installLlamaServer')}
          >
            {installLabel(installable, job)}
          </SendButton>
        )}
        <span className="muted small">
          {installReason(installable.replaces)} {mayChange ? downloadText(installable) : signInToInstallText}
          {hasCard && installable.usesCard === false && ` ${onlyBundledText}`}
        </span>
      </div>
    </div>
  );
}
