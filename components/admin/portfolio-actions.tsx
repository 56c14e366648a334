import { minTipsToJudge } from '@/lib/stats/schema';
import { StaffForm } from './staff-form';

type PortfolioActionsProps = {
  portfolio: { reference: string; isHeld: boolean; isFeatured: boolean; isPro: boolean };
};

/** What staff can do to a portfolio as it stands. */
export function PortfolioActions({ portfolio: { reference, isHeld, isFeatured, isPro } }: PortfolioActionsProps) {
  const shared = { call: 'POST /admin/portfolios/{portfolio}', params: { portfolio: reference } } as const;
  return (
    <>
      {isHeld ? (
        <StaffForm {...shared} action="portfolio.show" lead="It is again of the kind that it was." />
      ) : (
        <StaffForm
          {...shared}
          action="portfolio.hide"
          lead="Only who knows its address finds it then. Memberships end and the unused days are given back within a minute; showing it again does not bring them back."
        />
      )}
      <StaffForm
        {...shared}
        action={isFeatured ? 'portfolio.unfeature' : 'portfolio.feature'}
        lead={`A featured portfolio stands first where tipsters are recommended, whatever its yield, as long as it has ${minTipsToJudge} settled tips in the past year.`}
      />
      <StaffForm {...shared} action={isPro ? 'portfolio.leave-pro' : 'portfolio.join-pro'} />
    </>
  );
}
