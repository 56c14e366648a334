'use client';

import { useEffect, useState } from 'react';
import { formatDate } from '@/lib/format';
import type { PushSettings } from '@/lib/push/schema';
import type * as Push from '../state/push';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { singlePress } from '../ui/single-press';
import { useAlive } from '../ui/use-alive';
import { deviceName } from './device-name';
import styles from './session-list.module.scss';

type PushDevicesProps = { settings: PushSettings; timeZone: string };

const words: Record<Exclude<Push.PushAbility, 'able'>, string> = {
  none: 'This browser cannot show notifications. On an iPhone or iPad, add the site to the home screen first and open it from there.',
  denied: 'Your browser blocks notifications from this site. Allow them in its settings, then load this page again.',
};

/** Product §12: the browsers that show what the member asked to hear, and a switch for this one; permission is asked for after its press alone. */
export function PushDevices({ settings: first, timeZone }: PushDevicesProps) {
  const [settings, setSettings] = useState(first);
  const [here, setHere] = useState<{ ability: Push.PushAbility; endpoint: string | null } | null>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isAlive = useAlive();

  useEffect(() => {
    void import('../state/push').then(async ({ endpointHere, pushAbility }) =>
      setHere({ ability: pushAbility(), endpoint: await endpointHere().catch(() => null) }),
    );
  }, []);

  const own = settings.devices.find(({ endpoint }) => endpoint === here?.endpoint);

  async function act(change: (push: typeof Push) => Promise<PushSettings>): Promise<void> {
    setBusy(true);
    setProblem('');
    try {
      const push = await import('../state/push');
      setSettings(await change(push));
      setHere({ ability: push.pushAbility(), endpoint: await push.endpointHere() });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'That did not work. Try again.');
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {here && here.ability !== 'able' && <p>{words[here.ability]}</p>}
      {here?.ability === 'able' && (
        <p>
          <Button
            role="switch"
            aria-checked={own !== undefined}
            look={own ? 'secondary' : 'primary'}
            disabled={isBusy}
            onClick={singlePress(
              () =>
                void act(({ switchPushOff, switchPushOn }) =>
                  own ? switchPushOff(own.id) : switchPushOn(settings.publicKey),
                ),
            )}
          >
            {own ? 'Notifications in this browser: on' : 'Notifications in this browser: off'}
          </Button>
        </p>
      )}
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
      {settings.devices.length > 0 && (
        <ul className={styles.list} aria-label="Devices that get notifications">
          {settings.devices.map(({ id, device, createdAt }) => (
            <li key={id}>
              <p className={styles.device}>{deviceName(device)}</p>
              <p className={styles.facts}>Since {formatDate(createdAt, { timeZone, style: 'day' })}</p>
              {id !== own?.id && (
                <Button
                  look="quiet"
                  size="small"
                  disabled={isBusy || !isAlive}
                  aria-label={`Remove ${deviceName(device)}`}
                  onClick={singlePress(
                    () =>
                      void act(async () =>
                        (await import('../state/api')).api('DELETE /user/push/{id}', { params: { id } }),
                      ),
                  )}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
