import type { MetadataRoute } from 'next';
import { routes } from '@/lib/routes';

export default function manifest(): MetadataRoute.Manifest {
  return {
    id: routes.home(),
    name: 'Tipledger',
    short_name: 'Tipledger',
    description: 'Betting tips recorded before the start at a price on offer, with fixtures and bookmaker odds.',
    lang: 'en-GB',
    dir: 'ltr',
    start_url: routes.home(),
    scope: routes.home(),
    display: 'standalone',
    background_color: '#fbf8f1',
    theme_color: '#fbf8f1',
    categories: ['sports'],
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    ],
    shortcuts: [
      { name: 'Fixtures', url: routes.fixtures() },
      { name: 'Tipsters compared', url: routes.tipsters() },
      { name: 'The record', url: routes.ledger() },
    ],
  };
}
