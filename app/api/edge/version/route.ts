import { handle } from '@/lib/api/handle';
import { currentVersion } from '@/lib/program/version';
import { versionSchema } from '@/lib/fixtures/schema';

export const GET = handle(
  { summary: 'The version that is running, and its branch', access: 'public', answers: versionSchema },
  async () => currentVersion(),
);
