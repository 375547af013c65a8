const fieldset = document.getElementById('settings');
const status = document.getElementById('status');
const inputs = { speed: document.getElementById('speed'), size: document.getElementById('size') };

/** Asks the routes in main.py. @returns the settings, or null if the app does not answer */
async function ask(path, method, body) {
  try {
    const answer = await fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(3000),
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    fieldset.disabled = false;
    status.textContent = '';
    return await answer.json();
  } catch {
    fieldset.disabled = true;
    status.textContent = 'App template does not answer. Start it in Robot Desktop.';
    return null;
  }
}

/** Changes are sent one after the other, so that the last one counts. */
let sent = Promise.resolve();
for (const [name, input] of Object.entries(inputs)) {
  input.addEventListener('input', () => {
    sent = sent.then(() => ask('/settings', 'PUT', { [name]: input.valueAsNumber }));
  });
}
document.getElementById('sound').addEventListener('click', () => ask('/sound', 'POST'));

/** Shows the settings, also after the app has started again. */
async function refresh() {
  const settings = await ask('/settings', 'GET');
  for (const [name, input] of Object.entries(inputs)) {
    if (settings && document.activeElement !== input) input.value = settings[name];
  }
  setTimeout(refresh, 2000);
}

refresh();
