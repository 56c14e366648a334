import { type Written, renderMail } from './letter';

/** What a mail with a code says: to whom, which code, and the address of the page where it is typed. */
export type CodeMail = { username: string; code: string; url: string };

const holds = 'It is valid for 10 minutes.';

/** The mail that asks a new member to confirm the address. */
export function confirmationMail({ username, code, url }: CodeMail): Written {
  return renderMail({
    subject: `${code} is your Tipledger code`,
    title: 'Confirm your address',
    username,
    parts: ['Your code to confirm this e-mail address is:', { code }, { link: 'Enter it here', url }, holds],
    why: 'Somebody opened an account with this address. If it was not you, ignore this e-mail: without the code nothing happens.',
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
  return renderMail({
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
    why: 'You get this e-mail once, because you confirmed this address at Tipledger.',
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
  return renderMail({
    subject: 'You already have a Tipledger account',
    title: 'This address has an account',
    username,
    parts: [
      'Somebody just tried to sign up at Tipledger with this address, which already belongs to your account. Nothing was changed.',
      'If it was you, log in instead:',
      { link: 'Log in', url: loginUrl },
      `Forgotten your password? Choose a new one: ${passwordUrl}`,
    ],
    why: 'If it was not you, ignore this e-mail: only you received it, and nobody was told that you have an account.',
  });
}

/** The mail by which somebody who forgot their password takes a new one. */
export function newPasswordMail({ username, code, url }: CodeMail): Written {
  return renderMail({
    subject: `${code} is your code for a new password`,
    title: 'Choose a new password',
    username,
    parts: ['Your code to choose a new password is:', { code }, { link: 'Choose a new password', url }, holds],
    why: 'Somebody asked for a new password for this address. If it was not you, ignore this e-mail: your password stays as it is.',
  });
}

/** The mail that tells a member that the password was changed. */
export function passwordChangedMail({ username, url }: Omit<CodeMail, 'code'>): Written {
  return renderMail({
    subject: 'Your Tipledger password was changed',
    title: 'Your password was changed',
    username,
    parts: [
      'Your password was changed just now, and you were logged out everywhere else. Browsers and Telegram show you no notifications until you switch them on again.',
      'If that was not you, secure your account by choosing a new password:',
      { link: 'Choose a new password', url },
    ],
    why: 'You get this e-mail because it is about the security of your Tipledger account.',
  });
}

/** The mail that tells somebody that their account is deleted; it is the last that they get. */
export function accountDeletedMail({ username, url }: Omit<CodeMail, 'code'>): Written {
  return renderMail({
    subject: 'Your Tipledger account is deleted',
    title: 'Your account is deleted',
    username,
    parts: [
      'Your account is deleted, and with it your name, your address, the tipsters you followed and what you wrote. You are logged out everywhere.',
      'Tips that you published stay on the public record under “former tipster”, as the record promises to everybody.',
      'If that was not you, write to us soon:',
      { link: 'Contact us', url },
    ],
    why: 'This is the last e-mail to this address: we do not keep it.',
  });
}
