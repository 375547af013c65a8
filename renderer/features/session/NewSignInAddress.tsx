import { CommandLine } from '../../parts/CommandLine.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Says how to get an address that signs a browser in. */
export function NewSignInAddress() {
  const command = useDashboard((s) => s.daemon?.commands?.signIn);
  if (command === undefined) {
    return (
      <p>
        In the menu of the window of Robot Desktop, choose <strong>Open in Browser</strong>: the page that opens is
        signed in.
      </p>
    );
  }
  return (
    <div className="stack sign-in-address">
      <p>Get a sign-in address in a terminal and open it in this browser. It brings you back to this page:</p>
      <CommandLine command={command} purpose="prints a sign-in address" />
    </div>
  );
}
