const SAVE_AFTER_MS = 150;
const LOOK_EVERY_MS = 2000;
const PATIENCE_MS = 3000;
const STOPPED = 'Look around has stopped. Start it in Robot Desktop.';

const units = {
  speed: (value) => `${value} rounds a minute`,
  amplitude: (value) => `${value}° to each side`,
};
const names = Object.keys(units);
const inputs = Object.fromEntries(names.map((name) => [name, document.getElementById(name)]));
const fieldset = document.querySelector('fieldset');
const status = document.getElementById('status');

/** Counts what the person did, and how much of it was sent: an older answer never takes a change back. */
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

function say(text, kind) {
  // Said once: what did not change is not read aloud again.
  if (status.textContent !== text) status.textContent = text;
  status.className = kind;
}

/** @returns the settings in force; @throws when the app does not answer, or refuses */
async function ask(options) {
  let answer;
  let body;
  try {
    answer = await fetch('/settings', { ...options, signal: AbortSignal.timeout(PATIENCE_MS) });
    body = await answer.json();
  } catch {
    throw new Error(STOPPED);
  }
  if (answer.ok && names.every((name) => typeof body[name] === 'number')) return body;
  // Another app may have this address by now: it has other settings, or none.
  const refusal = options && answer.status !== 404 && typeof body.detail === 'string';
  throw new Error(refusal ? body.detail : STOPPED);
}

function failed({ message }) {
  fieldset.disabled = message === STOPPED;
  say(message, message === STOPPED ? 'stopped' : 'failed');
}

async function save() {
  if (saving) return; // It looks again when it is done: one after the other, never out of order.
  saving = true;
  while (sent !== changes) {
    sent = changes;
    const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, inputs[name].valueAsNumber])));
    try {
      await ask({ method: 'PUT', headers: { 'Content-Type': 'application/json' }, body });
      say('Saved', 'saved');
    } catch (error) {
      failed(error);
    }
  }
  saving = false;
}

/** Shows what is in force, also when the app has been started again or another page has changed it. */
async function look() {
  const before = saving ? -1 : sent;
  try {
    const settings = await ask();
    if (before === changes) show(settings);
    fieldset.disabled = false;
    if (status.className === 'stopped') say('', '');
  } catch (error) {
    failed(error);
  }
  setTimeout(look, LOOK_EVERY_MS);
}

for (const name of names) {
  inputs[name].addEventListener('input', () => {
    changes += 1;
    showValue(name);
    say('', '');
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  });
}
document.getElementById('settings').addEventListener('submit', (event) => event.preventDefault());
look();
