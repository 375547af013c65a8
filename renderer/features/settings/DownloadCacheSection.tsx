import { useState } from 'react';
import type { DownloadCache } from '../../../daemon/contract/apps/apps.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { SendButton } from '../../parts/buttons.tsx';
import { RemoveIcon } from '../../parts/icons.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { Section } from '../../parts/Section.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { useDashboard } from '../../store/use-dashboard.ts';
import { useWhenConnected } from '../../store/use-when-connected.ts';

/** The disk space of the downloads that installs keep, which can be freed. */
export function DownloadCacheSection() {
  const loaded = useDashboard((s) => s.downloadCache);
  const loadDownloadCache = useDashboard((s) => s.loadDownloadCache);
  const pruneDownloadCache = useDashboard((s) => s.pruneDownloadCache);
  const pending = useDashboard(isPending('download-cache'));
  const [freed, setFreed] = useState<number | null>(null);
  useWhenConnected(loadDownloadCache, '');
  const cache = loaded?.value ?? null;
  return (
    <Section title="Downloads of installs">
      <LoadedPart
        of={loaded}
        failure="The downloads could not be counted"
        onRetry={() => void loadDownloadCache()}
        rows={1}
      >
        {(value) => <p>{sizeText(value)}</p>}
      </LoadedPart>
      <RefusalNote commandKey="download-cache" />
      <div className="row">
        <SendButton
          commandKey="download-cache"
          size="sm"
          leftSection={<RemoveIcon size={16} />}
          disabled={cache === null || cache.bytes === 0}
          onClick={() => {
            setFreed(null);
            void pruneDownloadCache().then(setFreed);
          }}
        >
          Remove the downloads
        </SendButton>
        <span className="muted small" role="status">
          {pending
            ? 'Removing…'
            : freed !== null
              ? `${byteText(freed)} freed.${cache && cache.bytes > 0 ? ' Lists of packages, and packages built here, are kept.' : ''}`
              : 'Installed apps are not affected. A later install downloads again what it needs.'}
        </span>
      </div>
    </Section>
  );
}

function unusedText(size: number, unusedBytes: number): string {
  if (unusedBytes === 0) return 'Installed apps use all of it.';
  return unusedBytes >= size ? 'No installed app uses it.' : `No installed app uses ${byteText(unusedBytes)} of it.`;
}

function sizeText({ bytes: size, unusedBytes, isComplete }: DownloadCache): string {
  if (size === 0) return 'None are kept.';
  const most = isComplete ? '' : 'More than ';
  return `${most}${byteText(size)} are kept for later installs. ${unusedText(size, unusedBytes)}`;
}
