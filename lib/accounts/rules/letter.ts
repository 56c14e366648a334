/** A mail's subject with what it says as text and as HTML. */
export type Written = { subject: string; text: string; html: string };

/** A part of a letter: a paragraph, whose lines are kept; a code; a link as a button; an item of a list with its own link and perhaps a second one, `more`; or a link in small. */
export type Part =
  | string
  | { code: string }
  | { link: string; url: string }
  | { item: string; lines: readonly string[]; url: string; more?: { link: string; url: string } | undefined }
  | { small: string; url: string };

/** What a letter is made of: `why` says why it came, `links` stand beside it, such as the one that stops such mails. */
export type Letter = {
  subject: string;
  title: string;
  username: string;
  parts: readonly Part[];
  why: string;
  links?: readonly { link: string; url: string }[];
};

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const inLines = (text: string) => escape(text).replace(/\n/g, '<br>');

// Many mail programs read no style sheet: each element carries its own look, in the colours of the site; those that read one change them in the dark.
const serif = 'font-family:Georgia,serif';
const ink = 'color:#1c1a17';
const quiet = 'color:#6a6356';
const dark = `@media (prefers-color-scheme:dark){
.paper{background:#16150f!important}.ink{color:#ece6d8!important}.quiet{color:#a79f8d!important}.rule{border-color:#4a463b!important}
.box{background:#24221b!important;border-color:#4a463b!important}.button{background:#9db4ff!important}.press{color:#16150f!important}.link{color:#9db4ff!important}
}`;

const paragraph = (html: string) => `<p class="ink" style="margin:0 0 16px;${ink}">${html}</p>`;

const anchor = ({ link, url }: { link: string; url: string }) =>
  `<a class="link" href="${escape(url)}" style="color:#233f8f">${escape(link)}</a>`;

function block(part: Part): string {
  if (typeof part === 'string') return paragraph(inLines(part));
  if ('code' in part)
    return `<p class="box ink" style="margin:0 0 16px;padding:12px 16px;border:1px solid #ddd5c4;background:#f3eee2;${ink};font:700 28px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escape(part.code)}</p>`;
  if ('item' in part)
    return `<table role="presentation" style="width:100%;border-collapse:collapse;margin:0 0 12px"><tbody><tr><td class="rule" style="padding:0 0 12px;border-bottom:1px solid #ddd5c4"><a class="link" href="${escape(part.url)}" style="color:#233f8f;font-weight:600">${escape(part.item)}</a>${part.lines
      .map((line) => `<br><span class="ink" style="${ink}">${escape(line)}</span>`)
      .join('')}${part.more ? `<br>${anchor(part.more)}` : ''}</td></tr></tbody></table>`;
  if ('small' in part) return paragraph(anchor({ link: part.small, url: part.url }));
  return `<table role="presentation" style="border-collapse:collapse;margin:0 0 16px"><tbody><tr><td class="button" style="border-radius:4px;background:#233f8f"><a class="press" href="${escape(part.url)}" style="display:inline-block;padding:11px 18px;color:#fffdf8;font-weight:600;text-decoration:none">${escape(part.link)}</a></td></tr></tbody></table>`;
}

function line(part: Part): string {
  if (typeof part === 'string') return part;
  if ('code' in part) return part.code;
  if ('item' in part)
    return [part.item, ...part.lines, part.url, ...(part.more ? [`${part.more.link}:`, part.more.url] : [])].join('\n');
  return 'small' in part ? `${part.small}:\n${part.url}` : `${part.link}:\n${part.url}`;
}

/** A letter of the site as text and as HTML, in one layout for all mails; what is given is plain text. */
export function renderMail({ subject, title, username, parts, why, links = [] }: Letter): Written {
  const foot = [why, ...links.map(({ link, url }) => `${link}: ${url}`)].join('\n');
  const text = [`Hello ${username},`, ...parts.map(line), `Tipledger\n${foot}`].join('\n\n');
  const footLinks = links.map((link) => `<br>${anchor(link)}`).join('');
  const html = `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escape(subject)}</title>
<style>:root{color-scheme:light dark}
${dark}</style></head>
<body class="paper" style="margin:0;padding:0;background:#fbf8f1">
<table class="paper" role="presentation" style="width:100%;border-collapse:collapse;background:#fbf8f1"><tbody><tr><td style="padding:24px 16px;text-align:center">
<table role="presentation" style="width:100%;border-collapse:collapse;max-width:520px;margin:0 auto;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;text-align:left"><tbody><tr><td class="ink" style="${ink}">
<p class="ink rule" style="margin:0 0 24px;padding:0 0 12px;border-bottom:3px double #1c1a17;${serif};font-size:20px;font-weight:700;${ink}">Tipledger</p>
<h1 class="ink" style="margin:0 0 16px;${serif};font-size:24px;line-height:1.25;${ink}">${escape(title)}</h1>
${paragraph(`Hello ${escape(username)},`)}
${parts.map(block).join('\n')}
<p class="quiet rule" style="margin:24px 0 0;padding:12px 0 0;border-top:1px solid #ddd5c4;${quiet};font-size:13px">${escape(why)}${footLinks}</p>
</td></tr></tbody></table>
</td></tr></tbody></table>
</body>
</html>
`;
  return { subject, text: `${text}\n`, html };
}
