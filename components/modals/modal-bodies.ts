import type { ComponentType } from 'react';
import type { ModalProps, WorkingModal } from '../state/modals';

/** What a modal shows: its title, its width, and its body, which is fetched when it is wanted. */
export type ModalBody<P> = { title: string; size?: 'medium' | 'wide'; load: () => Promise<ComponentType<P & { onClose: () => void }>> };

export const modalBodies: { [N in Exclude<WorkingModal, 'feedback'>]: ModalBody<ModalProps[N]> } = {
  login: { title: 'Log in', load: () => import('../account/login-form').then(({ LoginForm }) => LoginForm) },
  'free tips popup': { title: 'Today’s free tips', load: () => import('./free-tips').then(({ FreeTips }) => FreeTips) },
  notifications: { title: 'Notifications', load: () => import('./notifications').then(({ Notifications }) => Notifications) },
  'historical odds': { title: 'Price history', size: 'wide', load: () => import('./historical-odds').then(({ HistoricalOdds }) => HistoricalOdds) },
  'share tip': { title: 'Share this tip', load: () => import('./share-tip').then(({ ShareTip }) => ShareTip) },
};
