import { handle } from '@/lib/api/handle';
import { removePushDevice } from '@/lib/push/commands';
import { readPushSettings } from '@/lib/push/queries';
import { pushDeviceParamsSchema, pushSettingsSchema } from '@/lib/push/schema';

export const DELETE = handle(
  {
    summary: 'Tell a browser of the member by push messages no more',
    access: 'confirmed',
    whileSuspended: true,
    params: pushDeviceParamsSchema,
    answers: pushSettingsSchema,
  },
  async ({ viewer, params }) => {
    await removePushDevice(viewer, params.id);
    return readPushSettings(viewer);
  },
);
