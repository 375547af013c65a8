import { CopyButton } from '../../parts/CopyButton.tsx';

/** A command for a terminal, with Copy. */
export function ShellCommand({ command }: { readonly command: string }) {
  return (
    <div className="robot-command">
      <pre>{command}</pre>
      <CopyButton text={() => command} name="Copy the command" copied="Copied" />
    </div>
  );
}
