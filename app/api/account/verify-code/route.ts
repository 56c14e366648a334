import { safeRedirect } from '@/lib/access/rules';
import { verifyCode } from '@/lib/accounts/commands';
import { verifiedSchema, verifyCodeSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { Failure } from '@/lib/platform/errors';
import { routes } from '@/lib/routes';

const forPassword = 'This code is for a new password. Enter the code from the other e-mail, or send a new one.';

export const POST = handle(
  {
    summary: 'Confirm an e-mail address by the code that was sent to it, or check a code for a new password',
    access: 'unidentified',
    body: verifyCodeSchema,
    answers: verifiedSchema,
    limit: { hits: 30, windowSeconds: 600 },
    form: {
      page: ({ redirect_after_verify }) =>
        routes.verify({ redirect_after_verify: safeRedirect(redirect_after_verify) ?? undefined }),
      next: ({ redirect_after_verify }) => safeRedirect(redirect_after_verify) ?? routes.dashboard(),
    },
  },
  async ({ body, caller, form, now }) => {
    const purpose = await verifyCode(body, now, caller.address);
    // Whoever sends the form without script wants to confirm an address, and would be sent back to it without a word.
    if (form && purpose === 'password') throw new Failure('invalid', forPassword, { code: forPassword });
    return { verified: true as const, purpose };
  },
);
