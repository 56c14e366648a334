/** @jest-environment node */
import { HtmlValidate } from 'html-validate';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { AdSlot } from '@/components/ads/ad-slot';
import { AdhesionAd } from '@/components/ads/adhesion-ad';
import { FreeTips } from '@/components/modals/free-tips';
import { HistoricalOdds } from '@/components/modals/historical-odds';
import { ModalHost } from '@/components/modals/modal-host';
import { Notifications } from '@/components/modals/notifications';
import { Browser } from '@/components/state/browser';
import { Dialog } from '@/components/ui/dialog';
import { LazyBlock } from '@/components/ui/lazy-block';

jest.mock('next/navigation', () => ({ usePathname: () => '/golf' }));

const config = {
  scripts: { ads: null, adQuality: null, tags: null, affiliate: null },
  affiliateDays: 30,
  consentDays: 182,
  debug: false,
};

const rendered: Record<string, ReactElement> = {
  AdSlot: <AdSlot name="home" />,
  AdhesionAd: <AdhesionAd />,
  Browser: <Browser config={config} />,
  Dialog: (
    <Dialog title="Notifications" onClose={() => undefined}>
      <p>Nothing.</p>
    </Dialog>
  ),
  FreeTips: <FreeTips tips={[]} />,
  HistoricalOdds: <HistoricalOdds fixtureReference="a-v-b" selectionId={1} />,
  LazyBlock: <LazyBlock load={async () => () => null} props={{}} name="The block" />,
  ModalHost: <ModalHost />,
  Notifications: <Notifications />,
};

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'void-style': 'off', 'attribute-boolean-style': 'off', 'long-title': 'off', 'prefer-native-element': 'off' },
});

test.each(Object.entries(rendered))(
  '%s renders on the server as valid markup without inline style or handler',
  async (_, element) => {
    const markup = renderToStaticMarkup(element);
    const report = await validator.validateString(markup);
    expect(
      report.results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
    ).toEqual([]);
    expect(markup).not.toMatch(/\s(style|on[a-z]+)=/);
  },
);

test('Browser and the advertisement that sticks are nothing before the browser has started', () => {
  expect(renderToStaticMarkup(<Browser config={config} />) + renderToStaticMarkup(<AdhesionAd />)).toBe('');
});
