import { Modal, TextInput } from '@mantine/core';
import { type KeyboardEvent, useContext, useEffect, useId, useMemo, useRef, useState } from 'react';
import { navigate } from '../../navigation/route.ts';
import { SearchIcon } from '../../parts/icons.tsx';
import { isConnected } from '../../slices/daemon/connection-slice.ts';
import { askMoves, movesKey } from '../../slices/robot/robot-slice.ts';
import { useAsked } from '../../store/use-asked.ts';
import { DashboardContext, useDashboard } from '../../store/use-dashboard.ts';
import { type Found, findAll } from './find-all.ts';
import type { PaletteItem } from './palette-item.ts';
import { foundItems, localItems, type PaletteDialogs } from './palette-items.ts';
import { keysText, noneText, partialText, searchingText } from './palette-text.ts';
import './palette.css';

interface PaletteProps extends PaletteDialogs {
  readonly onClose: () => void;
}

const LABEL = 'Search or run';
const MOST_ITEMS = 60;

/** Finds pages, apps, models, endpoints and actions by a few letters. */
export function Palette({ onClose, onRemove, onNotifications, onShortcuts }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { found, searching } = useFound(typed);
  const items = useItems(typed, found, { onRemove, onNotifications, onShortcuts });
  const listId = useId();
  const current = Math.min(chosen, items.length - 1);

  function choose(item: PaletteItem | undefined): void {
    if (!item) return;
    onClose();
    if (item.href) navigate(item.href);
    item.run?.();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setChosen((current + step + items.length) % Math.max(1, items.length));
    else if (event.key === 'Enter') choose(items[current]);
    else return;
    event.preventDefault();
  }

  return (
    <Modal opened onClose={onClose} withCloseButton={false} aria-label={LABEL} padding={0} yOffset="12vh" size={560}>
      <TextInput
        ref={focusAtOnce}
        size="md"
        className="palette-field"
        role="combobox"
        aria-label={LABEL}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={items.length > 0 ? `${listId}-${current}` : undefined}
        placeholder="A page, an app, a model, an action…"
        leftSection={<SearchIcon size={16} />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        data-autofocus
      />
      <div className="palette-list" id={listId} role="listbox" aria-label="Results">
        {items.map((item, index) => (
          <Line
            key={item.id}
            id={`${listId}-${index}`}
            item={item}
            isCurrent={index === current}
            onChoose={() => choose(item)}
          />
        ))}
      </div>
      <p className="palette-foot muted small" role="status">
        {stateText(items.length, searching, found?.isPartial ?? false)}
      </p>
    </Modal>
  );
}

/** The dialog waits for a timer, and what is typed until then would be lost. */
const focusAtOnce = (field: HTMLInputElement | null) => field?.focus();

function stateText(count: number, searching: boolean, isPartial: boolean): string {
  if (searching) return searchingText;
  if (isPartial) return partialText;
  return count === 0 ? noneText : keysText;
}

/** The lines of this page first, so that they stay where they are when the daemon's results come. */
function useItems(typed: string, found: Found | null, { onRemove, onNotifications, onShortcuts }: PaletteDialogs) {
  const store = useContext(DashboardContext);
  const apps = useDashboard((s) => s.installedApps);
  const samples = useDashboard((s) => s.sampleApps);
  const slot = useDashboard((s) => s.slot);
  const robot = useDashboard((s) => s.robot);
  const { value: moves } = useAsked(movesKey, askMoves);
  return useMemo(() => {
    void [apps, samples, slot, robot, moves]; // what the lines depend on, read from the store below
    const dashboard = store?.getState();
    if (!dashboard) return [];
    const local = localItems(dashboard, typed, { onRemove, onNotifications, onShortcuts });
    return [...local, ...(found ? foundItems(dashboard, found, typed) : [])].slice(0, MOST_ITEMS);
  }, [store, typed, found, onRemove, onNotifications, onShortcuts, apps, samples, slot, robot, moves]);
}

interface LineProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isCurrent: boolean;
  readonly onChoose: () => void;
}

function Line({ id, item: { label, hint }, isCurrent, onChoose }: LineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: likewise
    <div
      ref={line}
      id={id}
      role="option"
      aria-selected={isCurrent}
      className="palette-line"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className="palette-label" dir="auto">
        {label}
      </span>{' '}
      <span className="palette-hint muted small">{hint}</span>
    </div>
  );
}

const PAUSE_MS = 150;

/** Searches the daemon after a pause in typing. The results of an earlier text stay until the new ones are there. */
function useFound(typed: string): { readonly found: Found | null; readonly searching: boolean } {
  const call = useDashboard((s) => s.call);
  const connected = useDashboard(isConnected);
  const [found, setFound] = useState<Found | null>(null);
  const text = typed.trim();
  const wanted = connected && text !== '';
  useEffect(() => {
    if (!wanted) return;
    const stop = new AbortController();
    const pause = setTimeout(async () => {
      const answer = await findAll(call, text, stop.signal);
      if (!stop.signal.aborted) setFound(answer);
    }, PAUSE_MS);
    return () => {
      clearTimeout(pause);
      stop.abort();
    };
  }, [call, text, wanted]);
  return { found: wanted ? found : null, searching: wanted && found?.text !== text };
}
