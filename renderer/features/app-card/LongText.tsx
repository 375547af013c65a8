import { useState } from 'react';
import { SmallButton } from '../../parts/actions/buttons.tsx';
import { Foreign } from '../../parts/Foreign.tsx';

/** A text with more characters takes more than two lines in every width. */
const LONG = 300;

/** A paragraph that somebody else wrote. A long one is folded to two lines until the rest is asked for. */
export function LongText({ children: text }: { readonly children: string }) {
  const [whole, setWhole] = useState(false);
  if (text.length <= LONG) return <Foreign as="p">{text}</Foreign>;
  return (
    <div>
      <Foreign as="p" className={whole ? '' : 'two-lines'}>
        {text}
      </Foreign>
      <SmallButton aria-expanded={whole} onClick={() => setWhole(!whole)}>
        {whole ? 'Show less' : 'Show all'}
      </SmallButton>
    </div>
  );
}
