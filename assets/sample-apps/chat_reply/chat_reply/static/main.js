const LOOK_EVERY_MS = 2000;
const LOOK_DEADLINE_MS = 3000;
const STOPPED = 'Chat reply has stopped. Start it in Robot Desktop.';
const BROKE_OFF = 'The reply broke off: the app was stopped, or does not answer.';
const MOST_SHOWN = 100;

const said = document.getElementById('said');
const status = document.getElementById('status');
const form = document.getElementById('ask');
const text = document.getElementById('text');
const send = document.getElementById('send');
const forget = document.getElementById('forget');

let answering = false;
let runs = true;

/** @param kind `busy`, `stopped`, `failed` or nothing */
function showStatus(message, kind = '') {
  // Only on a change, so that a screen reader does not repeat it.
  if (status.textContent !== message) status.textContent = message;
  status.className = kind;
}

function update() {
  send.disabled = answering || !runs;
  forget.hidden = said.childElementCount === 0;
}

/** Adds a message. Its text was written by a person or a model, and is shown as it is. */
function add(who, message) {
  const item = document.createElement('li');
  const name = document.createElement('b');
  const words = document.createElement('p');
  item.className = who;
  name.textContent = who === 'you' ? 'You' : 'Robot';
  words.textContent = message;
  words.dir = 'auto';
  item.append(name, words);
  said.append(item);
  while (said.childElementCount > MOST_SHOWN) said.firstElementChild.remove();
  follow(true);
  return words;
}

/** Keeps the newest text in view, unless somebody reads above. */
function follow(always) {
  const below = said.scrollHeight - said.scrollTop - said.clientHeight;
  if (always || below < 80) said.scrollTop = said.scrollHeight;
}

/** @returns each line of an answer, as it arrives */
async function* linesOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

/** @throws Error with a sentence when there is no reply, or not all of it */
async function ask(message) {
  let reply = null;
  let response;
  try {
    response = await fetch('/ask', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: message }),
    });
  } catch {
    throw new Error(STOPPED);
  }
  if (!response.ok) {
    const { error } = await response.json().catch(() => ({}));
    throw new Error(error ?? STOPPED);
  }
  let refused = null;
  try {
    for await (const { piece, end, error } of linesOf(response)) {
      if (end) {
        if (reply === null) add('robot', '(The model wrote nothing.)');
        return;
      }
      if (error) refused = error;
      if (piece) {
        reply ??= add('robot', '');
        reply.append(piece);
        follow(false);
        showStatus('The robot is answering…', 'busy');
      }
    }
  } catch {
    throw new Error(BROKE_OFF);
  }
  throw new Error(refused ?? BROKE_OFF);
}

async function submit() {
  const message = text.value.trim();
  if (message === '' || answering || !runs) return;
  answering = true;
  text.value = '';
  const question = add('you', message).parentElement;
  showStatus('The robot is thinking…', 'busy');
  update();
  try {
    await ask(message);
    showStatus('');
  } catch (error) {
    // Not lost: it can be sent again when the reason is gone.
    if (text.value === '') {
      text.value = message;
      if (question === said.lastElementChild) question.remove();
    }
    showStatus(error.message, error.message === STOPPED ? 'stopped' : 'failed');
  }
  answering = false;
  update();
}

/** Notices when the app stops and when it runs again. */
async function look() {
  try {
    const answer = await fetch('/state', { signal: AbortSignal.timeout(LOOK_DEADLINE_MS) });
    // Another app may have this address now.
    runs = (await answer.json()).app === 'chat_reply';
  } catch {
    runs = false;
  }
  if (!runs && !answering) showStatus(STOPPED, 'stopped');
  if (runs && status.className === 'stopped') showStatus('');
  update();
  setTimeout(look, LOOK_EVERY_MS);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  submit();
});
text.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit();
});
forget.addEventListener('click', async () => {
  await fetch('/forget', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }).catch(
    () => {},
  );
  said.replaceChildren();
  showStatus('');
  update();
  text.focus();
});
text.focus();
look();
