import { Button } from '@mantine/core';
import { useState } from 'react';
import type { DownloadCache } from '../../../daemon/contract/apps/apps.ts';
import { byteText } from '../../../daemon/contract/common/byte-text.ts';
import { RemoveIcon } from '../../parts/icons.tsx';
import { LoadedPart } from '../../parts/notes/LoadedPart.tsx';
import { RefusalNote } from '../../parts/notes/RefusalNote.tsx';
import { isPending } from '../../slices/base/commands.ts';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { useDashboard } from '../../store/use-dashboard.ts';

const KEY = ['download-cache'];

/** The disk space of the downloads that installs keep, which can be freed. */
export function DownloadCacheSection() {
  const asked = useAsked<DownloadCache>(KEY, (call, signal) => call('getDownloadCache', { signal }));
  const send = useDashboard((s) => s.send);
  const setAnswer = useDashboard((s) => s.setAnswer);
  const pending = useDashboard(isPending('download-cache'));
  const connected = useDashboard(isConnected);
  const [freed, setFreed] = useState<number | null>(null);
  const cache = asked.value;
  async function prune(): Promise<void> {
    setFreed(null);
    const pruned = await send('download-cache', (call) => call('pruneDownloadCache'));
    if (!pruned) return;
    const { freedBytes, ...left } = pruned;
    setAnswer(KEY, left);
    setFreed(freedBytes);
  }
  return (
    <section className="card stack" aria-labelledby="download-cache">
      <h2 id="download-cache">Downloads of installs</h2>
      <LoadedPart of={asked} failure="The downloads could not be counted" rows={1}>
        {(counted) => <p>{sizeText(counted)}</p>}
      </LoadedPart>
      <RefusalNote commandKey="download-cache" />
      <div className="row">
        <Button
          variant="default"
          leftSection={<RemoveIcon size={16} />}
          disabled={!connected || pending || cache === null || cache.bytes === 0}
          loading={pending}
          onClick={() => void prune()}
        >
          Remove the downloads
        </Button>
        <span className="muted small" role="status">
          {pending
            ? 'Removing…'
            : freed !== null
              ? `${byteText(freed)} freed.${cache && cache.bytes > 0 ? ' Lists of packages, and packages built here, are kept.' : ''}`
              : 'Installed apps are not affected. A later install downloads again what it needs.'}
        </span>
      </div>
    </section>
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
