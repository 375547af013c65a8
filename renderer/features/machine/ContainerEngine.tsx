import type { ContainerEngineStatus } from '../../../daemon/contract/endpoints/runtimes.ts';
import { CommandLine } from '../../parts/CommandLine.tsx';
import { StateWord } from '../../parts/notes/StateWord.tsx';

/** The program that runs containers on this machine; if there is none, why, and how to get one. */
export function ContainerEngine({ engine }: { readonly engine: ContainerEngineStatus }) {
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
