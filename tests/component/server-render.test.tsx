/** @jest-environment node */
import { HtmlValidate } from 'html-validate';
import { Wallet } from 'lucide-react';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { CrashedPage } from '@/components/shell/crashed-page';
import { ErrorPage } from '@/components/shell/error-page';
import { Footer } from '@/components/shell/footer';
import { Header } from '@/components/shell/header';
import { MainFrame } from '@/components/shell/main-frame';
import { MissingPage } from '@/components/shell/missing-page';
import { PageFrame } from '@/components/shell/page-frame';
import { RoutedSidebar } from '@/components/shell/routed-sidebar';
import { shownEntries, sideMenuEntries } from '@/components/shell/side-menu-entries';
import { SideMenuList } from '@/components/shell/side-menu-list';
import { Sidebar } from '@/components/shell/sidebar';
import { Badge } from '@/components/ui/badge';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { FigureCell } from '@/components/ui/figure-cell';
import { Html } from '@/components/ui/html';
import { Icon } from '@/components/ui/icon';
import { LinkTabs } from '@/components/ui/link-tabs';
import { Profit } from '@/components/ui/profit';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { SkipLink } from '@/components/ui/skip-link';
import { SportIcon } from '@/components/ui/sport-icon';
import { Stat } from '@/components/ui/stat';
import { Stats } from '@/components/ui/stats';
import { Table } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import type { SafeHtml } from '@/lib/content/schema';
import { sports } from '@/lib/reference/schema';

jest.mock('next/navigation', () => ({ usePathname: () => '/golf', useRouter: () => ({ prefetch: () => undefined }) }));

const entries = sideMenuEntries(sports);
const help = { name: 'A help line', url: 'https://help.example/', telephone: '0800 000 000' };

const rendered: Record<string, ReactElement> = {
  Badge: <Badge icon={<Icon of={Wallet} size="small" />}>Offline</Badge>,
  Breadcrumb: <Breadcrumb trail={[{ href: '/', title: 'Home' }]} here="Football" />,
  Button: <Button>Follow</Button>,
  ButtonLink: <ButtonLink href="/login">Log in</ButtonLink>,
  EmptyState: <EmptyState icon={<Icon of={Wallet} size="large" />} title="No tips yet" action={<Button>Add</Button>} />,
  Html: <Html html={'<p>Odds</p>' as SafeHtml} />,
  Icon: <Icon of={Wallet} />,
  LinkTabs: (
    <LinkTabs label="Football" tabs={[{ href: '/football', title: 'Tips', count: 2 }]} activeHref="/football" />
  ),
  Profit: <Profit sign="profit">+1.00</Profit>,
  SectionHeading: <SectionHeading aside="All">Odds</SectionHeading>,
  SiteLink: <SiteLink href="/">Home</SiteLink>,
  SkipLink: <SkipLink target="content">Skip</SkipLink>,
  SportIcon: <SportIcon src="/images/sports/golf.svg" />,
  'Stats and Stat': (
    <Stats>
      <Stat label="Tips" note="all">
        3
      </Stat>
    </Stats>
  ),
  'Table and FigureCell': (
    <Table caption="Odds" captionHidden>
      <tbody>
        <tr>
          <th scope="row">Draw</th>
          <FigureCell>3.30</FigureCell>
        </tr>
      </tbody>
    </Table>
  ),
  Time: <Time dateTime="2026-11-21T15:00:00Z">15:00</Time>,
  VisuallyHidden: <VisuallyHidden>Hidden</VisuallyHidden>,
  CrashedPage: <CrashedPage digest="1" onRetry={() => undefined} />,
  ErrorPage: (
    <ErrorPage status={404} title="Missing">
      Text
    </ErrorPage>
  ),
  Footer: <Footer help={help} links={[{ title: 'Sports', links: shownEntries }]} />,
  Header: <Header status={<Badge>Offline</Badge>} />,
  MainFrame: (
    <MainFrame entries={entries}>
      <h1>Football</h1>
    </MainFrame>
  ),
  MissingPage: <MissingPage links={entries} />,
  PageFrame: (
    <PageFrame shell={{ header: 'main', sidebar: 'main', footer: 'main' }} entries={entries}>
      <h1>Football</h1>
    </PageFrame>
  ),
  RoutedSidebar: <RoutedSidebar entries={entries} />,
  SideMenuList: <SideMenuList title="Sports" entries={entries} activePath="/golf" />,
  Sidebar: <Sidebar entries={entries} activePath={null} />,
};

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'void-style': 'off', 'attribute-boolean-style': 'off', 'long-title': 'off' },
});

describe.each(Object.entries(rendered))('%s', (_, element) => {
  const markup = renderToStaticMarkup(element);

  it('renders on the server as valid markup', async () => {
    const report = await validator.validateString(markup);
    expect(
      report.results.flatMap((result) => result.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
    ).toEqual([]);
    expect(markup).toMatch(/^<[a-z]/);
  });

  it('carries no inline style and no inline handler, which the content policy forbids', () => {
    expect(markup).not.toMatch(/\s(style|on[a-z]+)=/);
  });
});
