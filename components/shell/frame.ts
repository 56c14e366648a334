import { forget, recall, remember } from '../state/tab-storage';
import { contentId, searchFieldId, searchPanelId, sideMenuEntriesId, sideMenuId, sideMenuStartId } from './anchors';

const sideMenuKey = 'tipledger:side-menu';
const followedKey = 'tipledger:followed-from-menu';

let isMenuOpen = false;

const root = () => document.documentElement;
const byId = (id: string) => document.getElementById(id);

const under = (event: Event, selector: string) =>
  event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null;

/** Spec §2.1: on the desktop, where the side menu stands open, it can be put away and brought back, for all pages of the visit. */
function showSideMenu(isOpen: boolean): void {
  root().dataset.sideMenu = isOpen ? 'open' : 'closed';
  for (const toggle of document.querySelectorAll(`[data-menu-toggle]`))
    toggle.setAttribute('aria-expanded', String(isOpen));
}

function toggleSideMenu(): void {
  const isOpen = root().dataset.sideMenu !== 'closed';
  remember(sideMenuKey, isOpen ? 'closed' : 'open');
  showSideMenu(!isOpen);
}

function toggleEntries(button: HTMLElement): void {
  const isOpen = button.getAttribute('aria-expanded') !== 'true';
  byId(sideMenuEntriesId)?.toggleAttribute('data-open', isOpen);
  button.setAttribute('aria-expanded', String(isOpen));
  button.textContent = isOpen ? 'Fewer options' : 'More options';
}

/** Closes the menu behind a link of it that is followed; the page that the link leads to may be another document, to which the focus has to be brought. */
function closeBehindLink(event: Event): void {
  const menu = byId(sideMenuId);
  const link = under(event, 'a');
  if (!isMenuOpen || !menu || !(link instanceof HTMLAnchorElement) || !menu.contains(link)) return;
  if (link.hash === `#${sideMenuStartId}`) return;
  remember(followedKey, link.href);
  menu.hidePopover();
  byId(contentId)?.focus();
}

function focusFollowed(): void {
  const followed = recall(followedKey);
  if (followed === null) return;
  forget(followedKey);
  if (followed === location.href) byId(contentId)?.focus({ preventScroll: true });
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') return true;
  const isTyping =
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
  return key === '/' && !ctrlKey && !metaKey && !isTyping;
}

function seek(event: KeyboardEvent): void {
  const field = byId(searchFieldId);
  if (!(field instanceof HTMLInputElement) || !isShortcut(event)) return;
  event.preventDefault();
  // Where there is room the panel stands open without being a popover.
  if (field.offsetParent === null) byId(searchPanelId)?.showPopover();
  field.focus();
  field.select();
}

function hearToggle(event: Event): void {
  if (!(event.target instanceof Element)) return;
  const isOpen = (event as ToggleEvent).newState === 'open';
  if (event.target.id === sideMenuId) isMenuOpen = isOpen;
  if (event.target.id === searchPanelId && isOpen) byId(searchFieldId)?.focus();
}

function hearClick(event: Event): void {
  if (under(event, '[data-menu-toggle]')) toggleSideMenu();
  const more = under(event, '[data-menu-more]');
  if (more) toggleEntries(more);
  closeBehindLink(event);
}

/** Makes the header and the side menu of every page alive, without more than this; returns what stops it. */
export function startFrame(): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  showSideMenu(recall(sideMenuKey) !== 'closed');
  focusFollowed();
  document.addEventListener('keydown', seek, { signal });
  document.addEventListener('click', hearClick, { signal });
  // It does not bubble.
  document.addEventListener('toggle', hearToggle, { signal, capture: true });
  return () => listening.abort();
}
