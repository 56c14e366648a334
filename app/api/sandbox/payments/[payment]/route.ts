import { handle } from '@/lib/api/handle';
import { chooseOutcome } from '@/lib/money/commands';
import { getSandboxPayment } from '@/lib/money/queries';
import { sandboxChoiceSchema, sandboxParamsSchema, sandboxPaymentSchema } from '@/lib/money/schema';

export const POST = handle(
  {
    summary: 'Choose what becomes of a payment of one’s own in the sandbox, where no money moves',
    access: 'member',
    params: sandboxParamsSchema,
    body: sandboxChoiceSchema,
    answers: sandboxPaymentSchema,
    limit: { hits: 60, windowSeconds: 60 },
  },
  async ({ viewer, params, body }) => {
    await getSandboxPayment(viewer, params.payment);
    await chooseOutcome(params.payment, body.outcome);
    return getSandboxPayment(viewer, params.payment);
  },
);
