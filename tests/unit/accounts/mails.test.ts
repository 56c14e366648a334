import { HtmlValidate } from 'html-validate';
import {
  accountDeletedMail,
  confirmationMail,
  newPasswordMail,
  passwordChangedMail,
  welcomeMail,
} from '@/lib/accounts/rules/mails';

const username = 'ann<script>&"\'';
const url = 'https://tipledger.example/register/verify?a=1&b=2';
const code = '012345';

const mails = {
  'of the code that confirms an address': confirmationMail({ username, code, url }),
  'of welcome': welcomeMail({ username, tipstersUrl: url, dashboardUrl: url }),
  'of the code for a new password': newPasswordMail({ username, code, url }),
  'of a changed password': passwordChangedMail({ username, url }),
  'of a deleted account': accountDeletedMail({ username, url }),
};

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: { 'no-inline-style': 'off', 'doctype-style': 'off', 'long-title': 'off', 'no-trailing-whitespace': 'off' },
});

describe.each(Object.entries(mails))('the mail %s', (_, { subject, text, html }) => {
  test('is valid HTML, in the language of the site, that fetches nothing', async () => {
    const report = await validator.validateString(html);
    expect(
      report.results.flatMap((result) => result.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
    ).toEqual([]);
    expect(html).toContain('<html lang="en-GB">');
    expect(html).not.toMatch(/<(img|script|link|iframe)\b|url\(/);
  });

  test('says the same in text and in HTML, the name and the address as they are', () => {
    const plain = html
      .replace(/<(style|title)[\s\S]*?<\/\1>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/&#(\d+);/g, (_all, sign: string) => String.fromCharCode(Number(sign)));
    const words = (of: string) =>
      new Set(
        of
          .replaceAll(url, ' ')
          .split(/[\s:]+/)
          .filter(Boolean),
      );
    expect([...words(text)].filter((word) => !words(plain).has(word))).toEqual([]);
    expect(text).toContain(`Hello ${username},`);
    expect(text).toContain(url);
    expect(html).not.toContain(username);
    expect(html).toContain(url.replace('&', '&#38;'));
  });

  test('has a subject in one line that a phone shows whole', () => {
    expect(subject).toMatch(/^[^\r\n]{10,60}$/);
  });
});

test('a code stands alone on its line, in text to be copied and first in the subject', () => {
  for (const mail of [mails['of the code that confirms an address'], mails['of the code for a new password']]) {
    expect(mail.text).toMatch(/^012345$/m);
    expect(mail.subject).toMatch(/^012345 /);
  }
});
