import type { GraphicsCards } from '../../../daemon/contract/compute/graphics-cards.ts';
import { hrefOf } from '../../navigation/route.ts';
import { callAction } from '../../parts/actions/CopyMenu.tsx';
import { Foreign } from '../../parts/Foreign.tsx';
import { DescribedSwitch } from '../../parts/forms/DescribedSwitch.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { isSignedIn } from '../../slices/daemon/session-slice.ts';
import { graphicsCardsKey } from '../../slices/models/graphics-cards.ts';
import { useCommand } from '../../store/use-command.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useGraphicsCards } from '../../store/use-graphics-cards.ts';
import { cardSignInText, graphicsCardHelp, noCardText } from './settings-text.ts';
import { useAskedSection } from './use-asked-section.ts';

const SWITCH = 'switch';

/** Lets models use the graphics cards of this machine or not, at once. */
export function GraphicsCardSection() {
  const asked = useGraphicsCards();
  const signedIn = useDashboard(isSignedIn);
  const section = useAskedSection('graphics-card', signedIn !== null);
  return (
    <section ref={section} className="card stack" aria-labelledby="graphics-card">
      <h2 id="graphics-card">Graphics card</h2>
      <LoadedPart of={asked} failure="The graphics card could not be looked up" rows={2}>
        {(found) => <CardSwitch found={found} mayChange={signedIn === true} />}
      </LoadedPart>
      {signedIn === false && <p className="muted small">{cardSignInText}</p>}
      <RefusalNote commandKey="graphics-cards" commands={[SWITCH]} />
    </section>
  );
}

function CardSwitch({ found, mayChange }: { readonly found: GraphicsCards; readonly mayChange: boolean }) {
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  const { pending, blocked } = useCommand('graphics-cards', SWITCH);
  async function switchTo(isOn: boolean): Promise<void> {
    const switched = await send('graphics-cards', (call) => call('switchGraphicsCards', { body: { isOn } }), SWITCH);
    if (switched) setAnswer(graphicsCardsKey, switched);
  }
  return (
    <>
      <DescribedSwitch
        name="Use the graphics card"
        isOn={found.isOn}
        disabled={blocked || !mayChange}
        onSwitch={(isOn) => void switchTo(isOn)}
        copies={callAction('Switch', 'switchGraphicsCards', { body: { isOn: !found.isOn } })}
      >
        {graphicsCardHelp[found.isOn ? 'on' : 'off']}
      </DescribedSwitch>
      <p className="muted small" role="status">
        {pending ? 'Saving…' : <FoundText found={found} />}
      </p>
    </>
  );
}

/** The cards that the switch is about, or why there is none. */
function FoundText({ found: { isOn, cards, problem } }: { readonly found: GraphicsCards }) {
  const machine = <a href={hrefOf('models', { tab: 'machine' })}>This machine</a>;
  if (problem !== null) {
    return (
      <>
        {problem.message} What to do: {machine}
      </>
    );
  }
  if (cards.length === 0) return noCardText[isOn ? 'on' : 'off'];
  return (
    <>
      {cards.map(({ index, name }, at) => (
        <span key={index}>
          {at > 0 && ', '}
          <Foreign>{name}</Foreign>
        </span>
      ))}
      {'. '}
      What uses it is under {machine}.
    </>
  );
}
