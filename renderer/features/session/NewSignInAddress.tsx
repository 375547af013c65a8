import { CommandLine } from '../../parts/CommandLine.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Says how to get an address that signs a browser in. */
export function NewSignInAddress() {
  const command = useDashboard((s) => s.daemon?.commands?.signIn);
  if (command === undefined) {
    return (
      <p>
        In the menu of the window of Robot Desktop, <strong>Open in Browser</strong> opens this page signed in.
      </p>
    );
  }
  return (
    <>
      <p>
        This command prints a sign-in address in a terminal. Open it in this browser: it brings you back to this page.
      </p>
      <CommandLine command={command} purpose="prints a sign-in address" />
    </>
  );
}
