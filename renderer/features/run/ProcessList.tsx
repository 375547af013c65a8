import type { AppProcessInfo } from '../../../daemon/contract/apps/runs.ts';

export function ProcessList({ processes }: { readonly processes: readonly AppProcessInfo[] }) {
  if (processes.length === 0) return null;
  return (
    <ul className="process-list mono" aria-label="Processes">
      {processes.map(({ pid, command }) => (
        <li key={pid} title={command}>
          <span className="muted">{pid}</span> {command}
        </li>
      ))}
    </ul>
  );
}
