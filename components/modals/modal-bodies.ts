import type { ComponentType } from 'react';
import type { ModalProps, WorkingModal } from '../state/modals';

/** What a modal shows: its title, its width, and its body, which is fetched when it is wanted. */
export type ModalBody<P> = {
  title: string;
  size?: 'medium' | 'wide';
  docks?: boolean;
  load: () => Promise<ComponentType<P & { onClose: () => void }>>;
};

export const modalBodies: { [N in Exclude<WorkingModal, 'feedback'>]: ModalBody<ModalProps[N]> } = {
  login: { title: 'Log in', load: () => import('../account/login-modal').then(({ LoginModal }) => LoginModal) },
  'free tips popup': { title: 'Today’s free tips', load: () => import('./free-tips').then(({ FreeTips }) => FreeTips) },
  notifications: {
    title: 'Notifications',
    load: () => import('./notifications').then(({ Notifications }) => Notifications),
  },
  'historical odds': {
    title: 'Price history',
    size: 'wide',
    load: () => import('./historical-odds').then(({ HistoricalOdds }) => HistoricalOdds),
  },
  'bet slip': {
    title: 'Bet slip',
    docks: true,
    load: () => import('../bet-slip/bet-slip').then(({ BetSlip }) => BetSlip),
  },
  'add tips': { title: 'Add a tip', load: () => import('../add-tips/add-tips').then(({ AddTips }) => AddTips) },
  'change bookmaker': {
    title: 'Change bookmaker',
    load: () => import('../add-tips/change-bookmaker').then(({ ChangeBookmaker }) => ChangeBookmaker),
  },
  'change description': {
    title: 'Change description',
    load: () => import('../add-tips/change-description').then(({ ChangeDescription }) => ChangeDescription),
  },
  'product processing': {
    title: 'Your payment',
    load: () => import('../memberships/product-processing').then(({ ProductProcessing }) => ProductProcessing),
  },
  'cancel user membership': {
    title: 'Cancel this membership?',
    load: () => import('../memberships/cancel-membership').then(({ CancelMembership }) => CancelMembership),
  },
  'pro confirm team': {
    title: 'Choose your team',
    load: () => import('../memberships/pro-confirm-team').then(({ ProConfirmTeam }) => ProConfirmTeam),
  },
  'pro switch team': {
    title: 'Change your team',
    load: () => import('../memberships/pro-switch-team').then(({ ProSwitchTeam }) => ProSwitchTeam),
  },
  'pro upgrade': {
    title: 'Add to your team',
    load: () => import('../memberships/pro-upgrade').then(({ ProUpgrade }) => ProUpgrade),
  },
  'edit fixture': {
    title: 'Edit the fixture',
    size: 'wide',
    load: () => import('../admin/edit-fixture').then(({ EditFixture }) => EditFixture),
  },
  'share tip': { title: 'Share this tip', load: () => import('./share-tip').then(({ ShareTip }) => ShareTip) },
};
