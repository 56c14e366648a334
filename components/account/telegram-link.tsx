'use client';

import { useState } from 'react';
import { formatDate } from '@/lib/format';
import type { TelegramSettings } from '@/lib/telegram/schema';
import type * as Calls from '../state/api';
import { Button } from '../ui/button';
import { ButtonLink } from '../ui/button-link';
import { FormMessage } from '../ui/form-message';
import { useAlive } from '../ui/use-alive';

type TelegramLinkProps = { settings: TelegramSettings; timeZone: string };

type Api = (typeof Calls)['api'];

/** Product §12: links the member's chat with the site's bot, and unlinks it. */
export function TelegramLink({ settings: first, timeZone }: TelegramLinkProps) {
  const [settings, setSettings] = useState(first);
  const [invite, setInvite] = useState<{ url: string; expiresAt: string } | null>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isAlive = useAlive();
  const { linked } = settings;

  async function act(change: (api: Api) => Promise<void>): Promise<void> {
    setBusy(true);
    setProblem('');
    try {
      await change((await import('../state/api')).api);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'That did not work. Try again.');
    } finally {
      setBusy(false);
    }
  }

  const look = () =>
    act(async (api) => {
      const now = await api('GET /user/telegram');
      setSettings(now);
      if (now.linked) setInvite(null);
      else setProblem('The chat is not linked yet. Open it, press Start, then look again.');
    });

  return (
    <>
      {linked && (
        <>
          <p>
            Linked to {linked.name} since {formatDate(linked.since, { timeZone, style: 'day' })}.
          </p>
          <Button
            look="secondary"
            disabled={isBusy || !isAlive}
            onClick={() => void act(async (api) => setSettings(await api('DELETE /user/telegram')))}
          >
            Unlink Telegram
          </Button>
        </>
      )}
      {!linked && !invite && (
        <Button
          disabled={isBusy || !isAlive}
          onClick={() => void act(async (api) => setInvite(await api('POST /user/telegram')))}
        >
          Link Telegram
        </Button>
      )}
      {!linked && invite && (
        <>
          <p>
            Open the chat and press Start. The link works once, until{' '}
            {formatDate(invite.expiresAt, { timeZone, style: 'time' })}.
          </p>
          <p>
            <ButtonLink href={invite.url} target="_blank" rel="noopener noreferrer">
              Open Telegram
            </ButtonLink>{' '}
            <Button look="secondary" disabled={isBusy || !isAlive} onClick={() => void look()}>
              I have pressed Start
            </Button>
          </p>
        </>
      )}
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
    </>
  );
}
