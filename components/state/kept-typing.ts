import { forget, recall, remember } from './tab-storage';

/** What was typed on a page and not sent, by the place of its form and the name of its field. */
type Typed = { path: string; username: string; fields: readonly { form: number; name: string; value: string }[] };

const key = 'tipledger:typed';
const longestCharacters = 200_000;

type Control = HTMLInputElement | HTMLTextAreaElement;

const kept = ['text', 'search', 'email', 'url', 'tel', 'number', 'textarea'];

// The header's come and go with who is looking.
const formsOfPage = () => [...document.forms].filter((form) => form.closest('header, [data-island]') === null);

const controlsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (element): element is Control =>
      (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && kept.includes(element.type),
  );

/** Keeps what this member has typed into the forms of the page and not sent, until the tab is closed; never a password or a code. */
export function keepTyped(username: string): void {
  const fields = formsOfPage().flatMap((form, place) =>
    controlsOf(form).flatMap(({ name, value, autocomplete }) =>
      name && value && autocomplete !== 'one-time-code' ? [{ form: place, name, value }] : [],
    ),
  );
  const typed = JSON.stringify({ path: location.pathname, username, fields } satisfies Typed);
  if (fields.length > 0 && typed.length <= longestCharacters) remember(key, typed);
}

/** Calls the listener once every form of the page is alive; returns what calls it off. */
export function whenFormsAlive(listener: () => void): () => void {
  const areAlive = () => document.querySelector('form[data-waits]') === null;
  const observer = new MutationObserver(() => {
    if (!areAlive()) return;
    observer.disconnect();
    listener();
  });
  if (areAlive()) listener();
  else observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-waits'] });
  return () => observer.disconnect();
}

/** Puts back what this member had typed on this page before they had to sign in anew; true when something was put back. */
export function restoreTyped(username: string): boolean {
  const text = recall(key);
  if (text === null) return false;
  const typed = JSON.parse(text) as Typed;
  if (typed.path !== location.pathname || typed.username !== username) return false;
  forget(key);
  let isRestored = false;
  for (const { form, name, value } of typed.fields) {
    const found = formsOfPage()[form];
    const control = found && controlsOf(found).find((each) => each.name === name);
    if (!control || control.value === value) continue;
    // Past React's own setter, so that a form that holds its values in state hears of it too.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as object, 'value')?.set?.call(control, value);
    control.dispatchEvent(new Event('input', { bubbles: true }));
    isRestored = true;
  }
  return isRestored;
}
