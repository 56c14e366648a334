import type { PushSettings } from '@/lib/push/schema';
import type { TelegramSettings } from '@/lib/telegram/schema';
import { SectionHeading } from '../ui/section-heading';
import { PushDevices } from './push-devices';
import { TelegramLink } from './telegram-link';

type NewsWaysProps = { push: PushSettings; telegram: TelegramSettings; timeZone: string };

/** Product §12: the ways beside mail by which news reach a member: this browser and others, and Telegram where the site has a bot. */
export function NewsWays({ push, telegram, timeZone }: NewsWaysProps) {
  return (
    <>
      <section aria-labelledby="push">
        <SectionHeading id="push">Notifications on your devices</SectionHeading>
        <p>Your browser shows them even when the site is closed. Choose on this page what you are notified about.</p>
        <PushDevices settings={push} timeZone={timeZone} />
      </section>
      {telegram.offered && (
        <section aria-labelledby="telegram">
          <SectionHeading id="telegram">Telegram</SectionHeading>
          <TelegramLink settings={telegram} timeZone={timeZone} />
        </section>
      )}
    </>
  );
}
