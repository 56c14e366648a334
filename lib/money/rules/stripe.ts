import type { PaymentStatus } from '../schema/orders';

/** Ours (0073): why Stripe did not take a payment, in a sentence for the payer, by the code of its error and that of the bank. */
export function whyDeclined(code: string | null | undefined, declineCode: string | null | undefined): string {
  const sentence = [declineCode, code].map((each) => declined[each ?? '']).find((found) => found !== undefined);
  return sentence ?? 'The card was declined.';
}

const declined: Readonly<Record<string, string>> = {
  authentication_required: 'Your bank wants you to confirm the payment yourself.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  incorrect_cvc: 'The card details are incorrect.',
  incorrect_number: 'The card details are incorrect.',
  processing_error: 'The bank could not take the payment at the time.',
  issuer_not_available: 'The bank could not take the payment at the time.',
  payment_intent_authentication_failure: 'Your bank did not confirm that it was you.',
  resource_missing: 'The saved card no longer exists.',
};

/** Ours (0073): where a payment at Stripe stands by the status of its intent, of a page that the payer is on or of a card charged while they are away. */
export function statusOfIntent(status: string, kind: 'page' | 'charge'): PaymentStatus {
  if (status === 'succeeded') return 'succeeded';
  if (status === 'processing') return 'pending';
  if (status === 'canceled') return 'cancelled';
  // Nobody is there to confirm what a bank asks at a renewal.
  return kind === 'charge' || status === 'requires_payment_method' ? 'failed' : 'started';
}

/** Ours (0073): true for a dispute by which the money is gone or held back, and not for a bank's mere question or one that was won. */
export function isChargeback(disputeStatus: string): boolean {
  return !disputeStatus.startsWith('warning_') && disputeStatus !== 'won' && disputeStatus !== 'prevented';
}

const refusedPayee = new Set([
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
  'account_closed',
  'account_invalid',
]);

/** Ours (0080): true where a transfer is refused because of the account that it goes to, which is asked about again in vain; money that is short on our side comes yet. */
export function isRefusedPayee({ code = '', param }: { code?: string; param?: string }): boolean {
  return refusedPayee.has(code) || (code === 'resource_missing' && param === 'destination');
}
