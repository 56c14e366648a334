import { handle } from '@/lib/api/handle';
import { addPushDevice, renewPushDevice } from '@/lib/push/commands';
import { readPushSettings } from '@/lib/push/queries';
import { pushRenewalSchema, pushRenewedSchema, pushSettingsSchema, pushSubscriptionSchema } from '@/lib/push/schema';

export const GET = handle(
  {
    summary: 'The key that a browser subscribes to push messages with, and the browsers of the member that are told',
    access: 'member',
    answers: pushSettingsSchema,
  },
  ({ viewer }) => readPushSettings(viewer),
);

export const POST = handle(
  {
    summary:
      'Let a browser be told by push messages what the member asked to hear, until this login ends; sent twice it is told once',
    access: 'confirmed',
    body: pushSubscriptionSchema,
    answers: pushSettingsSchema,
    limit: { hits: 30, windowSeconds: 60 },
  },
  async ({ viewer, body, caller, now }) => {
    await addPushDevice(viewer, body, caller.device, now);
    return readPushSettings(viewer);
  },
);

export const PUT = handle(
  {
    summary:
      'Go on telling a browser whose subscription to push messages was renewed; the address from before, which is a secret, stands for signing in',
    access: 'unidentified',
    body: pushRenewalSchema,
    answers: pushRenewedSchema,
    limit: { hits: 30, windowSeconds: 60 },
  },
  async ({ body, now }) => {
    await renewPushDevice(body, now);
    return { renewed: true as const };
  },
);
