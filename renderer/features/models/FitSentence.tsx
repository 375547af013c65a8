import type { Fit } from '../../../daemon/contract/catalog/models.ts';
import { hrefOf } from '../../navigation/route.ts';

interface FitSentenceProps {
  readonly fit: Pick<Fit, 'tight' | 'lacksRuntime'>;
  readonly children: string;
}

/** Why a model fits or not; if it is tight, what that means; if a program is missing, where to get it. */
export function FitSentence({ fit: { tight, lacksRuntime }, children }: FitSentenceProps) {
  return (
    <p>
      {children}
      {tight && ' It takes most of the memory: keep the context short and other programs closed.'}
      {lacksRuntime && (
        <>
          {' '}
          <a href={hrefOf('models', { tab: 'machine' })}>Programs that run models</a>
        </>
      )}
    </p>
  );
}
