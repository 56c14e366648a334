import type { Metadata } from 'next';
import { routes } from '@/lib/routes';
import { SiteFrame } from '../_sections/site-frame';
import { KeptPages } from './_sections/kept-pages';
import styles from './page.module.scss';

export const metadata: Metadata = {
  title: 'No connection · Tipledger',
  description: 'This page is not on your device. The pages that you have visited can be read without a connection.',
  robots: { index: false },
};

/** What the service worker shows, under the address asked for, when there is no connection and the page is not kept. */
export default function OfflinePage() {
  return (
    <SiteFrame of={routes.home()}>
      <div className={styles.page}>
        <h1>No connection</h1>
        <p className={styles.text}>
          This page is not on your device. What you have visited is kept here to be read again; prices and scores in it
          are those of the time of your visit.
        </p>
        <KeptPages />
      </div>
    </SiteFrame>
  );
}
