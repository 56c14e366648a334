'use client';

import { useState } from 'react';
import { formatDate } from '@/lib/format';
import type { WebhookView } from '@/lib/webhooks/schema';
import { Badge } from '../ui/badge';
import type * as Calls from '../state/api';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { singlePress } from '../ui/single-press';
import { Table } from '../ui/table';
import { useForm } from '../ui/use-form';

type WebhookFormProps = { portfolio: string; webhook: WebhookView | null; timeZone: string };

type Changed = { webhook: WebhookView; secret: string | null };

const tones = { waiting: 'notice', sent: 'profit', failed: 'loss' } as const;
const states = { waiting: 'Waiting', sent: 'Delivered', failed: 'Failed' } as const;

type Api = (typeof Calls)['api'];

/** Product §12: where an owner has a portfolio's events sent, with its secret, a test, and the log of what was sent. */
export function WebhookForm({ portfolio, webhook: first, timeZone }: WebhookFormProps) {
  const [webhook, setWebhook] = useState(first);
  const [secret, setSecret] = useState<string | null>(null);
  const [trouble, setTrouble] = useState('');
  const [isBusy, setBusy] = useState(false);
  const params = { reference: portfolio };

  function take({ webhook: now, secret: told }: Changed): void {
    setWebhook(now);
    if (told) setSecret(told);
  }

  const { form, problem, isSending, isAlive } = useForm(async (text) => {
    const { api } = await import('../state/api');
    take(await api('PUT /user/portfolio/{reference}/webhook', { params, body: { address: text('address') } }));
  });

  async function act(change: (api: Api) => Promise<void>): Promise<void> {
    setBusy(true);
    setTrouble('');
    try {
      await change((await import('../state/api')).api);
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : 'That did not work. Try again.');
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <p>
        Tips, settlements and posts of this portfolio are sent as JSON to your URL as soon as they are published,
        including hidden and members-only ones. Each is signed, so that you can check that it came from us.
      </p>
      {webhook?.pausedAt && (
        <FormMessage kind="error">
          Paused after {webhook.failures} failures in a row. Save the address again to resume: what was published in the
          last 24 hours is then sent.
        </FormMessage>
      )}
      {secret && (
        <FormMessage kind="success">
          The secret, which is shown only once: <code>{secret}</code>
        </FormMessage>
      )}
      <FormStack {...form}>
        {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
        <Field
          name="address"
          type="url"
          label="Address"
          hint="An https address of the public internet. Redirects are not followed."
          required
          data-missing="Enter the address to send events to."
          defaultValue={webhook?.address}
          error={problem.fields.address}
        />
        <div>
          <Button type="submit" disabled={isSending || !isAlive}>
            {isSending ? 'Saving…' : webhook ? 'Save the address' : 'Set up the webhook'}
          </Button>
        </div>
      </FormStack>
      {trouble && <FormMessage kind="error">{trouble}</FormMessage>}
      {webhook && (
        <>
          <p>
            <Button
              look="secondary"
              disabled={isBusy || !isAlive}
              onClick={() =>
                void act(async (api) => take(await api('POST /user/portfolio/{reference}/webhook/test', { params })))
              }
            >
              Send a test
            </Button>{' '}
            <Button
              look="secondary"
              disabled={isBusy || !isAlive}
              onClick={singlePress(
                () =>
                  void act(async (api) =>
                    take(await api('POST /user/portfolio/{reference}/webhook/secret', { params })),
                  ),
              )}
            >
              Make a new secret
            </Button>{' '}
            <Button
              look="quiet"
              disabled={isBusy || !isAlive}
              onClick={() =>
                void act(async (api) => {
                  await api('DELETE /user/portfolio/{reference}/webhook', { params });
                  setWebhook(null);
                  setSecret(null);
                })
              }
            >
              Remove the webhook
            </Button>
          </p>
          <Log webhook={webhook} timeZone={timeZone} />
        </>
      )}
    </>
  );
}

function Log({ webhook: { deliveries }, timeZone }: { webhook: WebhookView; timeZone: string }) {
  if (deliveries.length === 0) return <p>Nothing has been sent yet.</p>;
  return (
    <Table caption="Recent deliveries" narrow="stack">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col">State</th>
          <th scope="col">Answer</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map(({ id, kind, state, attempts, createdAt, nextAt, status, problem }) => (
          <tr key={id}>
            <th scope="row">{formatDate(createdAt, { timeZone, style: 'day-time' })}</th>
            <td data-label="What">{kind}</td>
            <td data-label="State">
              <Badge tone={tones[state]}>{states[state]}</Badge>
              {nextAt && attempts > 0 && ` Next try ${formatDate(nextAt, { timeZone, style: 'day-time' })}`}
            </td>
            <td data-label="Answer">{[status, problem].filter(Boolean).join(', ') || '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
