import { Modal } from '@mantine/core';
import { DescribedSwitch } from '../../parts/forms/DescribedSwitch.tsx';
import { useDashboard } from '../../store/use-dashboard.ts';
import { shortcutList, singleKeysHelp, whenText } from './shortcut-text.ts';
import './shortcuts.css';

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const singleKeys = useDashboard((s) => s.singleKeys);
  const setSingleKeys = useDashboard((s) => s.setSingleKeys);
  return (
    <Modal opened onClose={onClose} title="Shortcuts">
      <div className="stack">
        <dl className="shortcuts">
          {shortcutList.map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <p className="muted small">{whenText}</p>
        <DescribedSwitch name="Single keys" isOn={singleKeys} onSwitch={setSingleKeys}>
          {singleKeysHelp}
        </DescribedSwitch>
      </div>
    </Modal>
  );
}
