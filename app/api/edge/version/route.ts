import { handle } from '@/lib/entry/handle';
import { currentVersion } from '@/lib/entry/version';
import { versionSchema } from '@/lib/fixtures/schema/calls';

export const GET = handle(
  { summary: 'The version that is running, and its branch', access: 'public', answers: versionSchema },
  async () => currentVersion(),
);
