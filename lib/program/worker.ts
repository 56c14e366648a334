import { luckOf } from '@/lib/stats/rules';

const functions = { luck: luckOf } as const;

/** What runs on the threads of `runApart`: calls the function of this name. */
export default function work({
  name,
  input,
}: {
  name: keyof typeof functions;
  input: Parameters<typeof luckOf>[0];
}): unknown {
  return functions[name](input);
}
