'use client';

import { callAddress } from '@/lib/calls';
import { routes } from '@/lib/routes';
import { Button, type ButtonLook } from '../ui/button';
import { useForm } from '../ui/use-form';

/** Spec §4: logs out and leaves for the home page; without script the browser sends the same form, and its cookie says whose login ends. */
export function SignOutButton({ look = 'secondary' }: { look?: ButtonLook }) {
  const { form, isSending } = useForm(async () => {
    const [{ signOut }, { leaveFor }] = await Promise.all([
      import('../state/session'),
      import('../state/auth-navigation'),
    ]);
    await signOut();
    leaveFor(routes.home());
  });
  return (
    <form action={callAddress('POST /auth/logout')} method="post" {...form}>
      <Button type="submit" look={look} disabled={isSending}>
        Log out
      </Button>
    </form>
  );
}
