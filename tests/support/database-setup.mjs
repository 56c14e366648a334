import path from 'node:path';
import { tsImport } from 'tsx/esm/api';

export default async function setUp() {
  const { prepareTemplate } = await tsImport('./template.ts', {
    parentURL: import.meta.url,
    tsconfig: path.resolve('tsconfig.program.json'),
  });
  const template = await prepareTemplate();
  process.env.TIPLEDGER_TEMPLATE_URL = template.url;
  globalThis.stopTestDatabase = template.stop;
}
