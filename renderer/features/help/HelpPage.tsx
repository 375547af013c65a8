import { PageHeader } from '../../parts/PageHeader.tsx';
import { SignInCard } from '../session/SignInCard.tsx';
import { useSignedIn } from '../session/use-signed-in.ts';
import { AboutSection } from './AboutSection.tsx';
import { DoctorSection } from './DoctorSection.tsx';
import { GuidesSection } from './GuidesSection.tsx';
import { ReportSection } from './ReportSection.tsx';
import { ShortcutsSection } from './ShortcutsSection.tsx';
import './help.css';

/** Checks the installation, makes a report of a problem, and shows the guides. */
export function HelpPage() {
  const signedIn = useSignedIn();
  return (
    <>
      <PageHeader title="Help" />
      <div className="stack help-page">
        {signedIn === false && <SignInCard to="check this installation and report a problem" />}
        {signedIn === true && (
          <>
            <DoctorSection />
            <ReportSection />
          </>
        )}
        <GuidesSection />
        <ShortcutsSection />
        <AboutSection />
      </div>
    </>
  );
}
