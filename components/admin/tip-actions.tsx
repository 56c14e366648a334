import { StaffForm } from './staff-form';

/** What staff can do to a tip. */
export function TipActions({ reference }: { reference: string }) {
  const shared = { call: 'POST /admin/tips/{tip}', params: { tip: reference } } as const;
  return (
    <>
      <StaffForm
        {...shared}
        action="tip.void"
        lead="Adds a version to the public record, with your reason word for word. The tip no longer counts in the statistics. It stays void until it is settled again."
      />
      <StaffForm
        {...shared}
        action="tip.settle"
        lead="Settles the tip by the results as they are known now; the reason stands on the public record."
      />
    </>
  );
}
