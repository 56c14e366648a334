// These functions are written into sw.js as text: each stands by itself, or calls what worker/index.ts gives to `self`.

const daySeconds = 24 * 60 * 60;

/** What the worker answers from its caches (0021). Whatever fits no row goes to the network as if there were no worker. */
export const runtimeCaching = [
  {
    urlPattern: ({ request, sameOrigin, url }) =>
      sameOrigin &&
      request.mode === 'navigate' &&
      !/^\/(?:api|_next)\//.test(url.pathname) &&
      !/\.[a-z0-9]+$/i.test(url.pathname),
    handler: 'NetworkFirst',
    options: {
      cacheName: 'pages',
      networkTimeoutSeconds: 4,
      matchOptions: { ignoreVary: true },
      plugins: [
        { cacheKeyWillBeUsed: async ({ request }) => self.addressToKeep(request.url) },
        // The worker keeps the page itself, with what it needs and within its bound.
        { cacheWillUpdate: async ({ request, response }) => self.keepVisited(request, response) },
        { handlerDidError: async ({ request, error }) => self.answerWithout(request, error) },
      ],
    },
  },
  {
    urlPattern: ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith('/_next/static/'),
    handler: 'CacheFirst',
    options: {
      cacheName: 'build-assets',
      matchOptions: { ignoreVary: true },
      expiration: { maxEntries: 400, maxAgeSeconds: 60 * daySeconds, purgeOnQuotaError: true },
      plugins: [{ handlerDidError: async ({ request, error }) => self.answerWithout(request, error) }],
    },
  },
  {
    urlPattern: ({ sameOrigin, url }) => sameOrigin && /^\/(?:images|icons)\/|^\/icon\.svg$/.test(url.pathname),
    handler: 'StaleWhileRevalidate',
    options: {
      cacheName: 'images',
      matchOptions: { ignoreVary: true },
      expiration: { maxEntries: 150, maxAgeSeconds: 30 * daySeconds, purgeOnQuotaError: true },
      plugins: [{ handlerDidError: async ({ request, error }) => self.answerWithout(request, error) }],
    },
  },
  {
    // The bet slip asks for the fixtures of its selections: whether they have started, and their score.
    urlPattern: ({ request, sameOrigin, url }) =>
      sameOrigin && /^\/api\/fixture\/[^/]+(?:\/score)?$/.test(url.pathname) && !request.headers.has('authorization'),
    handler: 'NetworkFirst',
    options: {
      cacheName: 'fixtures',
      networkTimeoutSeconds: 4,
      matchOptions: { ignoreVary: true },
      fetchOptions: { credentials: 'omit' },
      expiration: { maxEntries: 60, maxAgeSeconds: 7 * daySeconds, purgeOnQuotaError: true },
      cacheableResponse: { statuses: [200] },
      plugins: [{ handlerDidError: async ({ request, error }) => self.answerWithout(request, error) }],
    },
  },
];
