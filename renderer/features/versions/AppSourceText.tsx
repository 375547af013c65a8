import type { AppSource } from '../../../daemon/contract/apps/app-source.ts';
import { sourceText } from '../../../daemon/contract/apps/source-text.ts';
import { hrefOf } from '../../navigation/route.ts';
import { ownAppOfSource } from '../../slices/apps/own-apps-slice.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

/** Where an app was installed from; of an app that the user writes, with a link to its page. */
export function AppSourceText({ source }: { readonly source: AppSource }) {
  const own = useDashboard((s) => ownAppOfSource(s.ownApps, source));
  const address = <span className="mono">{sourceText(source)}</span>;
  if (!own) return address;
  return (
    <>
      your folder {address}, <a href={hrefOf('apps', { ownAppId: own.id })}>see it under Create</a>
    </>
  );
}
