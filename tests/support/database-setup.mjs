import { importScript } from '../../scripts/bundle.mjs';

export default async function setUp() {
  const { prepareTemplate } = await importScript('tests/support/template.ts');
  const template = await prepareTemplate();
  process.env.TIPLEDGER_TEMPLATE_URL = template.url;
  globalThis.stopTestDatabase = template.stop;
}
