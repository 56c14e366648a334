/** @jest-environment node */
import { HtmlValidate } from 'html-validate';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { AdSlot } from '@/components/ads/ad-slot';
import { AdhesionAd } from '@/components/ads/adhesion-ad';
import { StartIslands } from '@/components/start/start-islands';
import { FreeTips } from '@/components/modals/free-tips';
import { HistoricalOdds } from '@/components/modals/historical-odds';
import { ModalHost } from '@/components/modals/modal-host';
import { Notifications } from '@/components/modals/notifications';
import { Dialog } from '@/components/ui/dialog';

jest.mock('next/navigation', () => ({ usePathname: () => '/golf' }));

const rendered: Record<string, ReactElement> = {
  AdSlot: <AdSlot name="home" />,
  AdhesionAd: <AdhesionAd />,
  Dialog: (
    <Dialog title="Notifications" onClose={() => undefined}>
      <p>Nothing.</p>
    </Dialog>
  ),
  FreeTips: <FreeTips tips={[]} />,
  HistoricalOdds: <HistoricalOdds fixtureReference="a-v-b" selectionId={1} />,
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

test('the advertisement that sticks and the start of the islands are nothing on the server', () => {
  expect(renderToStaticMarkup(<StartIslands />) + renderToStaticMarkup(<AdhesionAd />)).toBe('');
});
