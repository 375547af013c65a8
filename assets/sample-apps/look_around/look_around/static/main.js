const SAVE_AFTER_MS = 150;
const REFRESH_EVERY_MS = 2000;
const DEADLINE_MS = 3000;
const STOPPED = 'Look around has stopped. Start it in Robot Desktop.';

const units = {
  speed: (value) => `${value} rounds a minute`,
  amplitude: (value) => `${value}° to each side`,
};
const names = Object.keys(units);
const inputs = Object.fromEntries(names.map((name) => [name, document.getElementById(name)]));
const fieldset = document.querySelector('fieldset');
const status = document.getElementById('status');

/** The numbers of changes made and sent: an older answer must not undo a newer change. */
let changes = 0;
let sent = 0;
let saving = false;
let timer;

function showValue(name) {
  const text = units[name](inputs[name].value);
  document.getElementById(`${name}-value`).value = text;
  inputs[name].setAttribute('aria-valuetext', text);
}

function show(settings) {
  for (const name of names) {
    inputs[name].value = settings[name];
    showValue(name);
  }
}

function showStatus(text, kind) {
  // Only on a change, so that a screen reader does not repeat it.
  if (status.textContent !== text) status.textContent = text;
  status.className = kind;
}

/** @returns the current settings @throws Error when the app does not answer, or refuses the change */
async function ask(options) {
  let answer;
  let body;
  try {
    answer = await fetch('/settings', { ...options, signal: AbortSignal.timeout(DEADLINE_MS) });
    body = await answer.json();
  } catch {
    throw new Error(STOPPED);
  }
  if (answer.ok && names.every((name) => typeof body[name] === 'number')) return body;
  // Another app may have this address now, with other settings or none.
  const refusal = options && answer.status !== 404 && typeof body.detail === 'string';
  throw new Error(refusal ? body.detail : STOPPED);
}

function failed({ message }) {
  fieldset.disabled = message === STOPPED;
  showStatus(message, message === STOPPED ? 'stopped' : 'failed');
}

async function save() {
  if (saving) return; // The loop below sends later changes too, one request after the other.
  saving = true;
  while (sent !== changes) {
    sent = changes;
    const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, inputs[name].valueAsNumber])));
    try {
      await ask({ method: 'PUT', headers: { 'Content-Type': 'application/json' }, body });
      showStatus('Saved', 'saved');
    } catch (error) {
      failed(error);
    }
  }
  saving = false;
}

/** Shows the current settings, also after a restart of the app or a change by another page. */
async function refresh() {
  const before = saving ? -1 : sent;
  try {
    const settings = await ask();
    if (before === changes) show(settings);
    fieldset.disabled = false;
    if (status.className === 'stopped') showStatus('', '');
  } catch (error) {
    failed(error);
  }
  setTimeout(refresh, REFRESH_EVERY_MS);
}

for (const name of names) {
  inputs[name].addEventListener('input', () => {
    changes += 1;
    showValue(name);
    showStatus('', '');
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  });
}
document.getElementById('settings').addEventListener('submit', (event) => event.preventDefault());
refresh();
