import type { ReactNode } from 'react';
import type { SampleApp } from '../../../daemon/contract/apps/apps.ts';
import { Foreign, ForeignLink } from '../../parts/Foreign.tsx';
import { AppIcon } from '../../parts/tiles/AppIcon.tsx';
import { titleOf } from '../../slices/apps/apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import './app-card.css';

interface AppCardFrameProps {
  readonly app: Pick<SampleApp, 'name' | 'title' | 'icon'> & { readonly description?: string };
  /** For screen readers; by default the title, with the name where another app has that title too. */
  readonly label?: string;
  /** The app's page, if it has one. */
  readonly href?: string;
  readonly state: ReactNode;
  /** Instead of the description. */
  readonly text?: ReactNode;
  /** Controls and notes. */
  readonly children: ReactNode;
}

export function AppCardFrame({ app, label, href, state, text, children }: AppCardFrameProps) {
  const { name, title, description = '' } = app;
  const unique = useDashboard((s) => titleOf(s, name));
  return (
    <li>
      <article className="card app-card" aria-label={label ?? unique}>
        <header className="app-card-head">
          <AppIcon app={app} />
          <div className="app-card-names">
            <h2>
              <ForeignLink href={href}>{title}</ForeignLink>
            </h2>
            {name !== title && (
              <p className="muted small mono" title={name}>
                {name}
              </p>
            )}
          </div>
          {state}
        </header>
        {text ?? (
          <Foreign as="p" className="app-card-text two-lines" title={description}>
            {description}
          </Foreign>
        )}
        <div className="app-card-foot">{children}</div>
      </article>
    </li>
  );
}
