import { act, fireEvent, render, screen } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { AdSlot } from '@/components/ads/ad-slot';
import { AdhesionAd } from '@/components/ads/adhesion-ad';
import { adsShownAtom, markAdsBlocked, startAds } from '@/components/state/ads';
import type { BrowserConfig } from '@/components/state/browser-config';
import { askForConsent } from '@/components/state/consent';
import { type Identity, showGuest, showMember } from '@/components/state/viewer';
import { Role } from '@/lib/reference/schema';

const config: BrowserConfig = {
  scripts: { ads: 'https://ads.example/a.js', adQuality: null, tags: null, affiliate: null },
  affiliateDays: 30,
  consentDays: 182,
  debug: false,
};
const payer = {
  user: {
    hasActivePremiumPortfolio: false,
    hasActiveSubscription: true,
    hasProMembership: false,
    affiliateReference: null,
  },
  settings: {},
  portfolios: [],
} as unknown as Identity;

const mark = () => document.documentElement.dataset.ads;
const advertisement = () => screen.queryByRole('complementary', { name: 'Advertisement' });

it('a slot is named for the script that fills it', () => {
  const { container } = render(<AdSlot name="home" />);
  expect(container.querySelector('[data-ad-slot="home"]')).toBeInTheDocument();
});

it('advertising shows to a guest who consents, not to a member who pays, stays closed for the session and goes when blocked', async () => {
  render(<AdhesionAd />);
  act(() => {
    startAds(config);
    showGuest();
  });
  expect([mark(), advertisement()]).toEqual(['off', null]);
  await askForConsent(config);
  const { acceptCategory } = await import('vanilla-cookieconsent');
  act(() => acceptCategory(['ads']));
  expect(mark()).toBe('on');
  expect(advertisement()).toBeInTheDocument();
  act(() => showMember(Role.user, payer));
  expect([mark(), advertisement()]).toEqual(['off', null]);
  act(() => showGuest());
  fireEvent.click(screen.getByRole('button', { name: 'Close the advertisement' }));
  expect([mark(), advertisement(), sessionStorage.getItem('tipledger:adhesion-closed')]).toEqual(['on', null, '1']);
  act(() => markAdsBlocked());
  expect([mark(), getDefaultStore().get(adsShownAtom)]).toEqual(['off', false]);
});

it('the ad flag of the route decides over its slots', async () => {
  const { shownPathAtom } = await import('@/components/state/shown-path');
  const { adsBlockedAtom } = await import('@/components/state/ads');
  const store = getDefaultStore();
  const show = (path: string) =>
    act(async () => {
      store.set(shownPathAtom, path);
      await new Promise((resolve) => setTimeout(resolve));
    });
  store.set(adsBlockedAtom, false);
  act(() => showGuest());
  await show('/football');
  expect(mark()).toBe('on');
  await show('/login');
  expect(mark()).toBe('off');
  await show('/affiliates');
  expect(mark()).toBe('off');
  await show('/fixture/rovers-v-town-2026-03-07');
  expect(mark()).toBe('on');
});
