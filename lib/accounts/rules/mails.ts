type Written = { subject: string; text: string; html: string };

/** What a mail with a code says: to whom, which code, and the address of the page where it is typed. */
export type CodeMail = { username: string; code: string; url: string };

type Part = string | { code: string } | { link: string; url: string };

type Letter = { subject: string; title: string; username: string; parts: readonly Part[]; why: string };

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

// Mail programs read no style sheet: each element carries its own look, in the colours of the site.
const ink = 'color:#1c1a17';
const serif = 'font-family:Georgia,serif';
const paragraph = `margin:0 0 16px;${ink}`;

function block(part: Part): string {
  if (typeof part === 'string') return `<p style="${paragraph}">${escape(part)}</p>`;
  if ('code' in part)
    return `<p style="margin:0 0 16px;padding:12px 16px;border:1px solid #ddd5c4;background:#f3eee2;${ink};font:700 28px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escape(part.code)}</p>`;
  return `<p style="margin:0 0 16px"><a href="${escape(part.url)}" style="display:inline-block;padding:11px 18px;border-radius:4px;background:#233f8f;color:#fffdf8;font-weight:600;text-decoration:none">${escape(part.link)}</a></p>`;
}

function line(part: Part): string {
  if (typeof part === 'string') return part;
  return 'code' in part ? part.code : `${part.link}:\n${part.url}`;
}

/** A letter of the site as text and as HTML: its parts are paragraphs, codes and links, `why` says why it came. */
export function writeLetter({ subject, title, username, parts, why }: Letter): Written {
  const text = [`Hello ${username},`, ...parts.map(line), `Tipledger\n${why}`].join('\n\n');
  const html = `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escape(subject)}</title></head>
<body style="margin:0;padding:24px 16px;background:#fbf8f1;${ink};font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:520px;margin:0 auto">
<p style="margin:0 0 24px;padding:0 0 12px;border-bottom:3px double #1c1a17;${serif};font-size:20px;font-weight:700">Tipledger</p>
<h1 style="margin:0 0 16px;${serif};font-size:24px;line-height:1.25">${escape(title)}</h1>
<p style="${paragraph}">Hello ${escape(username)},</p>
${parts.map(block).join('\n')}
<p style="margin:24px 0 0;padding:12px 0 0;border-top:1px solid #ddd5c4;color:#6a6356;font-size:13px">${escape(why)}</p>
</div>
</body>
</html>
`;
  return { subject, text: `${text}\n`, html };
}

const holds = 'It is valid for 10 minutes.';

/** The mail that asks a new member to confirm the address. */
export function confirmationMail({ username, code, url }: CodeMail): Written {
  return writeLetter({
    subject: `${code} is your Tipledger code`,
    title: 'Confirm your address',
    username,
    parts: ['Your code to confirm this e-mail address is:', { code }, { link: 'Enter it here', url }, holds],
    why: 'Somebody opened an account with this address. If it was not you, ignore this mail: without the code nothing happens.',
  });
}

/** The mail that greets a member whose address is confirmed; `urls` are the pages of the tipsters and of the member's account. */
export function welcomeMail({
  username,
  tipstersUrl,
  dashboardUrl,
}: {
  username: string;
  tipstersUrl: string;
  dashboardUrl: string;
}): Written {
  return writeLetter({
    subject: 'Welcome to Tipledger',
    title: 'Your account is open',
    username,
    parts: [
      'Your address is confirmed and your account is open.',
      'Every tip here is recorded before the start, at a price that was really on offer, and nobody can change it afterwards. Compare the tipsters by what they won and lost, then follow the ones you believe.',
      { link: 'Compare the tipsters', url: tipstersUrl },
      `Your odds format, time zone and currencies are in your settings: ${dashboardUrl}`,
      'Betting is for adults, with money that you can afford to lose.',
    ],
    why: 'You get this mail once, because you confirmed this address at Tipledger.',
  });
}

/** The mail that tells the owner of an address that somebody signed up with it. */
export function knownAddressMail({
  username,
  loginUrl,
  passwordUrl,
}: {
  username: string;
  loginUrl: string;
  passwordUrl: string;
}): Written {
  return writeLetter({
    subject: 'You have an account at Tipledger already',
    title: 'This address has an account',
    username,
    parts: [
      'Somebody signed up at Tipledger with this address just now, which belongs to your account. Nothing was changed.',
      'If it was you, log in instead:',
      { link: 'Log in', url: loginUrl },
      `You forgot your password? Choose a new one: ${passwordUrl}`,
    ],
    why: 'If it was not you, ignore this mail: without it nobody can confirm your address, and nobody was told that you have an account.',
  });
}

/** The mail by which somebody who forgot their password takes a new one. */
export function newPasswordMail({ username, code, url }: CodeMail): Written {
  return writeLetter({
    subject: `${code} is your code for a new password`,
    title: 'Choose a new password',
    username,
    parts: ['Your code to choose a new password is:', { code }, { link: 'Choose a new password', url }, holds],
    why: 'Somebody asked for a new password for this address. If it was not you, ignore this mail: your password stays as it is.',
  });
}

/** The mail that tells a member that the password was changed. */
export function passwordChangedMail({ username, url }: Omit<CodeMail, 'code'>): Written {
  return writeLetter({
    subject: 'Your Tipledger password was changed',
    title: 'Your password was changed',
    username,
    parts: [
      'Your password was changed just now, and every other login was ended.',
      'If that was not you, take your account back by choosing a new password:',
      { link: 'Choose a new password', url },
    ],
    why: 'You get this mail because it concerns the safety of your account at Tipledger.',
  });
}

/** The mail that tells somebody that their account is deleted; it is the last that they get. */
export function accountDeletedMail({ username, url }: Omit<CodeMail, 'code'>): Written {
  return writeLetter({
    subject: 'Your Tipledger account is deleted',
    title: 'Your account is deleted',
    username,
    parts: [
      'Your account is deleted, and with it your name, your address, whom you followed and what you wrote. Every login has ended.',
      'Tips that you had published stay on the public record under “former tipster”, as the record promises to everybody.',
      'If that was not you, write to us soon:',
      { link: 'Contact us', url },
    ],
    why: 'This is the last mail to this address: we do not keep it.',
  });
}
