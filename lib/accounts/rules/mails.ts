type Written = { subject: string; text: string; html: string };

/** What a mail with a code says: to whom, which code, and the address of the page where it is typed. */
export type CodeMail = { username: string; code: string; url: string };

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

type Part = string | { code: string } | { link: string; url: string };

function write(subject: string, username: string, parts: readonly Part[]): Written {
  const lines = parts.map((part) => (typeof part === 'string' ? part : 'code' in part ? part.code : `${part.link}: ${part.url}`));
  const text = [`Hello ${username},`, ...lines, 'Tipledger'].join('\n\n');
  const blocks = parts.map((part) => {
    if (typeof part === 'string') return `<p>${escape(part)}</p>`;
    if ('code' in part) return `<p style="font:700 28px/1.4 monospace;letter-spacing:4px">${escape(part.code)}</p>`;
    return `<p><a href="${escape(part.url)}">${escape(part.link)}</a></p>`;
  });
  const body = [`<p>Hello ${escape(username)},</p>`, ...blocks, '<p>Tipledger</p>'].join('\n');
  const html = `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1c1b19;background:#fbfaf7">
<div style="max-width:520px;margin:0 auto">
${body}
</div>
</body>
</html>
`;
  return { subject, text: `${text}\n`, html };
}

/** The mail that asks a new member to confirm the address. */
export function confirmationMail({ username, code, url }: CodeMail): Written {
  return write(`${code} is your Tipledger code`, username, [
    'Your code to confirm this e-mail address is:',
    { code },
    { link: 'Enter it here', url },
    'It holds for ten minutes. If you did not open an account, ignore this mail: without the code nothing happens.',
  ]);
}

/** The mail by which somebody who forgot their password takes a new one. */
export function newPasswordMail({ username, code, url }: CodeMail): Written {
  return write(`${code} is your code for a new password`, username, [
    'Your code to choose a new password is:',
    { code },
    { link: 'Choose a new password', url },
    'It holds for ten minutes. If you did not ask for it, ignore this mail: your password stays as it is.',
  ]);
}

/** The mail that tells a member that the password was changed. */
export function passwordChangedMail({ username, url }: Omit<CodeMail, 'code'>): Written {
  return write('Your Tipledger password was changed', username, [
    'Your password was changed just now, and every other login was ended.',
    'If that was not you, take your account back by choosing a new password:',
    { link: 'Choose a new password', url },
  ]);
}
