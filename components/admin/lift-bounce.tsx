'use client';

import { StaffForm } from './staff-form';

// What is lifted has no page any more, so this one is left as it was and says that it is done.
const stay = () => undefined;

/** Product §11: has news go to an address again. */
export function LiftBounce({ bounce }: { bounce: string }) {
  return (
    <StaffForm
      call="POST /admin/bounces/{bounce}"
      params={{ bounce }}
      action="bounce.lift"
      lead="The next notification is sent there by e-mail again. If the mail server refuses it again, they are stopped again. E-mails that were skipped are not sent later. The list of such addresses can stop them again."
      onDone={stay}
    />
  );
}
