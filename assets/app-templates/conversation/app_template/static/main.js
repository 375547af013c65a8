const STOPPED = 'App template does not answer. Start it in Robot Desktop.';
const RETRY_MS = 1000;
const NEWS_DEADLINE_MS = 15_000;
const NAMES = { you: 'You', model: 'Robot', script: 'Robot (script)', tool: 'Robot does', notice: 'Note' };
const STATES = { listening: 'Listening.', thinking: 'Thinking…', speaking: 'Speaking…' };

const said = document.getElementById('said');
const state = document.getElementById('state');
const problem = document.getElementById('problem');
const partner = document.getElementById('partner');
const sound = document.getElementById('sound');
const form = document.getElementById('say');
const text = document.getElementById('text');
const wobble = document.getElementById('wobble');
const wobbleValue = document.getElementById('wobble-value');

let seen = { run: null, version: 0 };
let status = null;
/** Whether the end of the conversation stays in view; a person who reads what was said before keeps their place. */
let follows = true;

/** Calls a route of page.py. @throws Error with a sentence, if it refuses or does not answer */
async function ask(path, body, deadlineMs = 3000) {
  let answer;
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(deadlineMs),
    });
    answer = await response.json();
  } catch {
    throw new Error(STOPPED);
  }
  if (answer.error) throw new Error(answer.error);
  return answer;
}

/** Asks, and shows what went wrong. @returns whether nothing did */
async function tell(path, body) {
  try {
    await ask(path, body);
    problem.textContent = '';
    return true;
  } catch (error) {
    problem.textContent = error.message;
    return false;
  }
}

/** Shows an entry. Its text was written by a person or a model, and is shown as it is. */
function show({ number, who, text: words, is_cut_off: isCutOff }) {
  let item = document.getElementById(`entry-${number}`);
  if (!item) {
    item = document.createElement('li');
    item.id = `entry-${number}`;
    item.append(document.createElement('b'), document.createElement('p'));
    said.append(item);
  }
  item.className = who;
  item.firstChild.textContent = NAMES[who];
  item.lastChild.textContent = isCutOff ? `${words} … (interrupted)` : words;
  item.lastChild.dir = 'auto';
  showEnd();
}

function showEnd() {
  if (follows) said.scrollTop = said.scrollHeight;
}

function showWobble() {
  wobbleValue.textContent = `${Math.round(wobble.valueAsNumber * 100)} %`;
  wobble.ariaValueText = wobbleValue.textContent;
}

function showStatus() {
  const { state: now, hears, microphone, partner: who } = status;
  const words = hears ? 'I hear you…' : STATES[now];
  // Only on a change, so that a screen reader does not repeat it.
  if (state.textContent !== words) state.textContent = words;
  sound.textContent = microphone && `The robot cannot hear you, so type. ${microphone}`;
  partner.textContent =
    who.kind === 'model' ? `You talk with ${who.name}.` : 'You talk with a script: no chat model is chosen.';
  if (document.activeElement !== wobble) wobble.value = status.wobble;
  showWobble();
}

/** Shows what is new, as long as the page is open. */
async function follow() {
  for (;;) {
    try {
      const news = await ask('/news', seen, NEWS_DEADLINE_MS);
      if (news.run !== seen.run) said.replaceChildren(); // the app has started again
      seen = { run: news.run, version: news.version };
      status = news.status;
      for (const entry of news.entries) show(entry);
      showStatus();
    } catch (error) {
      state.textContent = error.message;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const words = text.value.trim();
  if (words === '') return;
  text.value = '';
  const isSaid = await tell('/say', { text: words });
  if (!isSaid && text.value === '') text.value = words; // not lost
});
text.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
// A person who begins to type interrupts the robot, as by beginning to speak.
text.addEventListener('input', () => {
  if (status?.state === 'speaking' && text.value !== '') tell('/interrupt');
});
wobble.addEventListener('input', () => {
  showWobble();
  tell('/wobble', { volume: wobble.valueAsNumber });
});
said.addEventListener('scroll', () => {
  follows = said.scrollHeight - said.scrollTop - said.clientHeight < 80;
});
// A window that is made smaller moves the end out of view.
new ResizeObserver(showEnd).observe(said);
text.focus();
follow();
