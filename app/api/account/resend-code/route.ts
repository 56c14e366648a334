import { safeRedirect } from '@/lib/access/rules';
import { resendCode } from '@/lib/accounts/commands';
import { done, doneSchema, resendCodeSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { routes } from '@/lib/routes';

const onwards = ({ redirect_after_verify }: { readonly [name: string]: string | undefined }) => ({
  redirect_after_verify: safeRedirect(redirect_after_verify) ?? undefined,
});

export const POST = handle(
  {
    summary: 'Mail a new code that confirms the e-mail address',
    access: 'public',
    whileSuspended: true,
    body: resendCodeSchema,
    answers: doneSchema,
    limit: { hits: 10, windowSeconds: 600 },
    form: {
      page: (fields) => routes.verify(onwards(fields)),
      next: (fields) => routes.verify({ ...onwards(fields), sent: 1 }),
    },
  },
  async ({ viewer, body, caller, now }) => {
    await resendCode(viewer, body?.emailAddress, now, caller.address);
    return done;
  },
);
