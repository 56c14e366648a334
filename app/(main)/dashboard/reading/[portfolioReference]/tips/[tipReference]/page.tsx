import type { Metadata } from 'next';
import { TipReading } from '@/components/tips/tip-reading';
import { TipLock } from '@/components/tips/tip-lock';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { SiteLink } from '@/components/ui/site-link';
import { Moment } from '@/components/formats/moment';
import { orNotFound, pageMetadata, type PageQuery } from '@/lib/pages/page';
import { routes } from '@/lib/routes';
import { getTip } from '@/lib/tips/queries';
import { readMember } from '../../../../_sections/read-member';
import styles from '../../reading.module.scss';

export const dynamic = 'force-dynamic';

type ReadingProps = {
  params: Promise<{ portfolioReference: string; tipReference: string }>;
  searchParams: Promise<PageQuery>;
};

export async function generateMetadata({ params }: Pick<ReadingProps, 'params'>): Promise<Metadata> {
  const { portfolioReference, tipReference } = await params;
  return pageMetadata({
    title: 'A tip for members',
    description: 'A tip as its members read it.',
    path: routes.readTip(portfolioReference, tipReference),
    index: false,
  });
}

export default async function ReadTipPage({ params, searchParams }: ReadingProps) {
  const { portfolioReference, tipReference } = await params;
  const member = await readMember(routes.readTip(portfolioReference, tipReference), await searchParams);
  const tip = await orNotFound(getTip(member.viewer, portfolioReference, tipReference, member.now));
  const [only] = tip.legs;
  const heading = tip.lock === null && only && tip.legCount === 1 ? only.bet : `A tip by ${tip.portfolioName}`;
  return (
    <>
      <Breadcrumb
        trail={[
          { href: routes.dashboard(), title: 'Dashboard' },
          { href: routes.portfolio(portfolioReference), title: tip.portfolioName },
          { href: routes.tip(portfolioReference, tipReference), title: 'The tip and its proof' },
        ]}
        here={heading}
      />
      <h1>{heading}</h1>
      <p className={styles.by}>
        by <SiteLink href={routes.portfolio(portfolioReference)}>{tip.portfolioName}</SiteLink>, published{' '}
        <Moment at={tip.publishedAt} style="day-time" timeZone={member.timeZone} />
      </p>
      {tip.lock === null ? (
        <TipReading tip={tip} timeZone={member.timeZone} oddsDisplay={member.oddsDisplay} />
      ) : (
        <TipLock lock={tip.lock} opensAt={tip.firstStartsAt} timeZone={member.timeZone} />
      )}
    </>
  );
}
