import { CopyButton } from './buttons.tsx';
import './command-line.css';

interface CommandLineProps {
  readonly command: string;
  /** The purpose, for screen readers: "Copy the command that …". */
  readonly purpose: string;
}

export function CommandLine({ command, purpose }: CommandLineProps) {
  return (
    <span className="command-line">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <code className="command-line-text" tabIndex={0} dir="ltr">
        {command}
      </code>
      <CopyButton text={() => command} name={`Copy the command that ${purpose}`} copied="Copied." />
    </span>
  );
}
