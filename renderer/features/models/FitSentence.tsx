import type { Fit } from '../../../daemon/contract/catalog/models.ts';
import { hrefOf } from '../../navigation/route.ts';
import { tightText } from './model-text.ts';

interface FitSentenceProps {
  readonly fit: Pick<Fit, 'tight' | 'lacksRuntime'>;
  /** The address of models that fit, if this one is too large. */
  readonly hrefOfFitting?: string | undefined;
  readonly children: string;
}

/** Why a model fits or not; if it is tight, what that means; where to get a missing program, or a model that fits. */
export function FitSentence({ fit: { tight, lacksRuntime }, hrefOfFitting, children }: FitSentenceProps) {
  return (
    <p>
      {children}
      {tight && ` ${tightText}`}
      {lacksRuntime && (
        <>
          {' '}
          <a href={hrefOf('models', { tab: 'machine' })}>Programs that run models</a>
        </>
      )}
      {hrefOfFitting !== undefined && (
        <>
          {' '}
          <a href={hrefOfFitting}>Models for this task that fit</a>
        </>
      )}
    </p>
  );
}
