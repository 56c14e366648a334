import { readStored, removeStored, writeStored } from './storage';

/** Spec §3, §5: what the browser knows of a checkout: its order, where whoever joins came from, and until when it is kept. */
export type CheckoutData = { order: string; from: string | null; _expires: string };

const key = 'checkout';

const isCheckout = (value: unknown): value is CheckoutData =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as CheckoutData).order === 'string' &&
  !Number.isNaN(Date.parse((value as CheckoutData)._expires));

/** Keeps the checkout that was begun, in the place of one before. */
export const keepCheckout = (checkout: CheckoutData): Promise<void> => writeStored(key, checkout);

/** Spec §5: the checkout that was begun; null once it is past its time, which discards it. */
export async function readCheckout(): Promise<CheckoutData | null> {
  const stored = await readStored(key);
  if (!isCheckout(stored)) return null;
  if (Date.parse(stored._expires) > Date.now()) return stored;
  await removeStored(key);
  return null;
}
