import { keepTickClass } from '@/lib/program/tick-class';

test('what is kept is an object that Node made for a tick', async () => {
  const kept: object[] = [];
  keepTickClass(kept);
  await new Promise(setImmediate);
  expect(kept).toHaveLength(1);
  expect(kept[0]).toMatchObject({ callback: expect.any(Function), args: undefined });
  expect(Object.getOwnPropertySymbols(kept[0] ?? {}).map(String)).toContain('Symbol(async_id_symbol)');
});
