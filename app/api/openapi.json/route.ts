import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { openApiDocument } from '@/lib/api/openapi';
import { currentVersion } from '@/lib/program/version';
import { singleton } from '@/lib/platform/singleton';
import { calls } from '../calls';

export const GET = handle(
  { summary: 'This description of the API', access: 'public', answers: z.record(z.string(), z.json()) },
  // A build has one.
  async () => singleton('openapi', () => openApiDocument(calls, currentVersion().version)),
);
