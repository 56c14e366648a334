import { hostileMarkdown } from './hostile-markdown';

const call = 'alert(1)';

const schemes = [
  'javascript',
  'JAVASCRIPT',
  'jAvAsCrIpT',
  'vbscript',
  'livescript',
  'mocha',
  'data',
  'blob',
  'file',
  'filesystem',
  'view-source',
  'jar',
  'mhtml',
  'about',
  'chrome',
  'res',
  'intent',
  'x-javascript',
  'feed:javascript',
  'wyciwyg',
];
const written = ['[x](%)', '[x](<%>)', '![x](%)', '<%>', '[x]: %\n\n[x]', '[x](% "t")', '[![x](%)](%)'];
const byScheme = schemes.flatMap((scheme) => written.map((form) => form.replaceAll('%', `${scheme}:${call}`)));

// One colon, or one letter, in every writing that some reader takes for it.
const spellings = [
  '&#106;avascript:',
  '&#x6a;avascript:',
  '&#0000106avascript:',
  '&#X6A;avascript&colon;',
  'java&#10;script:',
  'java&#x09;script:',
  'java&NewLine;script:',
  'java&Tab;script:',
  'javascript&#0058;',
  'javascript&#x3A;',
  'javascript%3a',
  '%6aavascript:',
  'javascript\u00ad:',
  'java\u200bscript:',
  '\u2028javascript:',
  '\u00a0javascript:',
  'ｊavascript:',
  'javascript：',
  '\\u006aavascript:',
  'java\\\nscript:',
];
const byspelling = spellings.flatMap((spelling) => [
  `[x](${spelling}${call})`,
  `[x](<${spelling}${call}>)`,
  `![x](${spelling}${call})`,
]);

const events = [
  'onload',
  'onerror',
  'onclick',
  'onfocus',
  'onanimationstart',
  'ontransitionend',
  'onpointerrawupdate',
  'onbeforetoggle',
  'oncontentvisibilityautostatechange',
  'onscrollend',
  'onwheel',
  'onauxclick',
];
const elements = [
  'svg',
  'math',
  'img src=x',
  'body',
  'iframe',
  'video src=x',
  'audio src=x',
  'input autofocus',
  'details open',
  'a href=x',
  'object data=x',
  'xss style=display:block tabindex=1',
];
const byEvent = events.flatMap((event, index) => [
  `<${elements[index]} ${event}=${call}>`,
  `<${elements[index]}/${event}='${call}'>`,
  `<${elements[index]}\n${event}\n=\n"${call}"//`,
]);

const nested = [
  '[[x](javascript:alert(1))](https://a.example/)',
  '[x](https://a.example/)](javascript:alert(1))',
  '[a](<b)c>](javascript:alert(1)))',
  '[![a][1]][1]\n\n[1]: javascript:alert(1) "x"',
  '[a]([b](javascript:alert(1)))',
  '![a](/api/images/../../x"onerror="alert(1))',
  `![a](/api/images/${'0'.repeat(64)}-1x1.webp"onerror="alert(1))`,
  `![" onerror="alert(1)](/api/images/${'0'.repeat(64)}-1x1.webp)`,
  `![<img src=x onerror=alert(1)>](/api/images/${'0'.repeat(64)}-9x9.webp "' onload='alert(1)")`,
  `![a](/api/images/${'0'.repeat(64)}-1x1.webp#javascript:alert(1))`,
  `![a](//evil.example/api/images/${'0'.repeat(64)}-1x1.webp)`,
  `[a](/api/images/${'0'.repeat(64)}-1x1.webp)`,
];

/** Everything that is tried on texts, each way once: 223 and more. */
export const allVectors: readonly string[] = [
  ...new Set([...hostileMarkdown, ...byScheme, ...byspelling, ...byEvent, ...nested]),
];
