import { roleNames } from '@/lib/accounts/rules';
import { Role } from '@/lib/reference/schema';
import { StaffForm } from './staff-form';
import { UserExportForm } from './user-export-form';

type UserActionsProps = {
  member: { id: number; role: Role; isSuspended: boolean; hasFactor: boolean };
  isSuperAdmin: boolean;
};

/** What staff can do to a member, as far as their rank goes. */
export function UserActions({ member, isSuperAdmin }: UserActionsProps) {
  const { id, role, isSuspended, hasFactor } = member;
  const shared = { call: 'POST /admin/users/{user}', params: { user: String(id) } } as const;
  if (role !== Role.user && !isSuperAdmin)
    return <p>This member is of staff: only super admins act on their account.</p>;
  return (
    <>
      {isSuspended ? (
        <StaffForm {...shared} action="user.reinstate" />
      ) : (
        <StaffForm
          {...shared}
          action="user.suspend"
          lead="They go on reading and can cancel, sign out and delete their account; nothing else. They are shown the reason."
        />
      )}
      <StaffForm
        {...shared}
        action="user.message"
        lead="They find it in their notifications, and by e-mail unless they have turned such mails off. It cannot be taken back. The log keeps the subject."
        fields={[
          { kind: 'text', name: 'title', label: 'Subject', isNeeded: true },
          {
            kind: 'lines',
            name: 'body',
            label: 'Message',
            hint: 'Plain text, 2,000 characters at most.',
            isNeeded: true,
          },
        ]}
      />
      <StaffForm {...shared} action="user.revoke" />
      <UserExportForm user={id} />
      {isSuperAdmin && hasFactor && (
        <StaffForm {...shared} action="user.second-factor" title="Reset the second factor" />
      )}
      {isSuperAdmin && (
        <StaffForm
          {...shared}
          action="user.role"
          fields={[
            {
              kind: 'choice',
              name: 'role',
              label: 'Role',
              value: String(role),
              choices: Object.entries(roleNames).map(([value, title]) => ({ value, title })),
            },
          ]}
        />
      )}
      {isSuperAdmin && (
        <StaffForm
          {...shared}
          action="user.delete"
          lead="Personal data goes, the settled record stays under “former tipster”. This cannot be undone."
        />
      )}
    </>
  );
}
