import { type Part, renderMail } from '@/lib/accounts/rules';
import { formatCount } from '@/lib/format';
import type { Message } from '../schema/messages';
import { topicOfKind } from '../schema/settings';

/** Where the links at the foot of a mail lead: to the page that stops such mails, and to the member's list of notifications with their settings. */
export type MailLinks = { stopUrl: string; settingsUrl: string };

const goTo: Readonly<Record<Message['kind'], string>> = {
  tip: 'See the tip',
  post: 'Read the post',
  settlement: 'See the tip',
  correction: 'See the tip',
  membership: 'Your memberships',
  payout: 'Your earnings',
  'fixture-start': 'See the fixture',
  'fixture-result': 'See the fixture',
  staff: 'Read on',
};

function whyOf({ kind, portfolio }: Message): string {
  const name = portfolio?.name ?? 'Tipledger';
  switch (topicOfKind[kind]) {
    case 'tip':
    case 'post':
    case 'settlement':
      return `You get this e-mail because you follow ${name}, or are a member.`;
    case 'membership':
      return 'You get this e-mail because it is about your membership at Tipledger.';
    case 'payout':
      return 'You get this e-mail because it is about your earnings at Tipledger.';
    case 'fixture':
      return 'You get this e-mail because you watch this fixture.';
    case 'staff':
      return 'You get this e-mail because Tipledger staff wrote to you.';
  }
}

const toSlip = 'Add it to your bet slip';

const demoNote = (message: Message) => (message.portfolio?.demo ? ['Demo data: this tipster is made up.'] : []);

/** The mail that tells one reader of one event. */
export function eventMail(message: Message, username: string, { stopUrl, settingsUrl }: MailLinks) {
  const parts: Part[] = [
    message.body,
    ...message.receipts.map(({ title, lines, link }) => ({ item: title, lines, url: link })),
    ...demoNote(message),
    { link: goTo[message.kind], url: message.link },
  ];
  if (message.slipLink) parts.push({ small: toSlip, url: message.slipLink });
  return renderMail({
    subject: message.title,
    title: message.title,
    username,
    parts,
    why: whyOf(message),
    links: [
      { link: 'Unsubscribe or get fewer e-mails', url: stopUrl },
      { link: 'All your notifications', url: settingsUrl },
    ],
  });
}

/** How many updates the mail of a day lists; it counts the others. */
const listedInDigest = 100;

function digestParts(messages: readonly Message[], listUrl: string): Part[] {
  const items = messages.slice(0, listedInDigest).map((message) => ({
    item: message.title,
    lines: [
      ...message.body.split('\n'),
      ...message.receipts.flatMap(({ title, lines, link }) => [`${title}. ${lines.join(' ')}`, link]),
      ...demoNote(message),
    ],
    url: message.link,
    more: message.slipLink === null ? undefined : { link: toSlip, url: message.slipLink },
  }));
  const others = messages.length - items.length;
  return others === 0
    ? items
    : [
        ...items,
        `This e-mail lists the first ${listedInDigest}. There ${others === 1 ? 'is' : 'are'} ${formatCount(others, 'more update', 'more updates')} in your list on the site.`,
        { link: 'See your list', url: listUrl },
      ];
}

/** The mail that tells one reader of all that happened in a day. */
export function digestMail(messages: readonly Message[], username: string, { stopUrl, settingsUrl }: MailLinks) {
  const title = formatCount(messages.length, 'update', 'updates');
  return renderMail({
    subject: `Your day at Tipledger: ${messages.length === 1 ? (messages[0]?.title ?? '') : title}`,
    title,
    username,
    parts: digestParts(messages, settingsUrl),
    why: 'You get one e-mail a day because you chose a daily summary at Tipledger.',
    links: [
      { link: 'Unsubscribe or get fewer e-mails', url: stopUrl },
      { link: 'All your notifications', url: settingsUrl },
    ],
  });
}
