import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { env } from '@/lib/platform/env';
import { pageMetadata } from '@/lib/pages/page';
import { Actions, Figures, Forms, States, Words } from './_sections/primitives';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Primitives',
  description: 'Every primitive of the interface in every state, light and dark, for those who work on it.',
  path: '/gallery',
  index: false,
});

/** Every primitive in every state, for those who work on the site; elsewhere there is no such page. */
export default function GalleryPage() {
  if (env().NODE_ENV !== 'development') notFound();
  return (
    <>
      <h1>Primitives</h1>
      {(['light', 'dark'] as const).map((theme) => (
        <section key={theme} data-theme={theme} aria-label={theme} className={styles.theme}>
          <Words theme={theme} />
          <Actions theme={theme} />
          <Figures />
          <Forms theme={theme} />
          <States />
        </section>
      ))}
    </>
  );
}
