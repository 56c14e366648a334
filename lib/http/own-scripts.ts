import { createHash, randomBytes } from 'node:crypto';
import { memberCookieName, ownFormatsKey } from '@/lib/accounts/schema';
import { routes } from '@/lib/routes';

/** Ours: how long a page keeps what a member sees otherwise unshown, as long as browsers keep text whose font has not come. */
const patienceMilliseconds = 3_000;

// The dashboard is made for its member.
const awaitOwn = [
  `const own=localStorage['${ownFormatsKey}']`,
  `if(own&&!location.pathname.startsWith('${routes.dashboard()}')){of.awaits=own;setTimeout(()=>delete of.awaits,${patienceMilliseconds})}`,
].join(';');

/**
 * What every page does before its first paint: it is laid out whole where a place in it is to be found again (0040), and what this device knows
 * of the reader shows at once: that the side menu was put away, that somebody is signed in here, and what of the page waits for what they see in
 * its place. Who is signed in is looked at again when a page that was prerendered is shown. A button that is pressed before the page is alive is marked, to be pressed again then; links, forms and popovers need nobody.
 */
export const beforePaint = [
  'const of=document.documentElement.dataset',
  "if(performance.getEntriesByType('navigation')[0]?.type!=='navigate')of.whole=''",
  "try{if(sessionStorage['tipledger:side-menu']==='closed')of.sideMenu='closed';}catch{}",
  `const look=()=>{if(document.cookie.split('; ').includes('${memberCookieName}=1')){of.known='member';try{${awaitOwn}}catch{}}else{delete of.known;delete of.awaits}}`,
  'look()',
  "document.addEventListener('prerenderingchange',look)",
  "addEventListener('click',e=>{if(!('alive'in of))e.target.closest('button[type=button]:not([popovertarget])')?.setAttribute('data-pressed','')},true)",
].join(';');

/** The source by which a policy allows an inline script; `bytes` is its text, a letter a byte. */
export const hashOf = (bytes: string) => `'sha256-${createHash('sha256').update(bytes, 'latin1').digest('base64')}'`;

const known = hashOf(beforePaint);

/** A mark that nobody can guess, by which a render tells its own scripts from what is in its data. */
export function newMark(): string {
  return randomBytes(18).toString('base64url');
}

/** The header of a request by which Next marks every script that it writes. */
export function markingPolicy(mark: string): string {
  return `script-src 'nonce-${mark}'`;
}

/** A document, a character for each of its bytes, without its marks, and the hashes, as a policy names them, of the inline scripts that the program and Next put there: no other script of the document is among them. */
export function withoutMarks(bytes: string, mark: string): { html: string; hashes: string[] } {
  const hashes = new Set([known]);
  const attribute = ` nonce="${mark}"`;
  const inData = `\\"nonce\\":\\"${mark}\\"`;
  const clean = (text: string) => text.replaceAll(attribute, '').replaceAll(inData, '\\"nonce\\":\\"$undefined\\"');
  for (const [, attributes = '', text = ''] of bytes.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    if (attributes.includes(attribute) && !/\ssrc=/.test(attributes)) hashes.add(hashOf(clean(text)));
  }
  return { html: clean(bytes), hashes: [...hashes] };
}

/** A header that names scripts or fonts to fetch ahead, without the mark. */
export const withoutMark = (header: string, mark: string): string => header.replaceAll(`; nonce="${mark}"`, '');
