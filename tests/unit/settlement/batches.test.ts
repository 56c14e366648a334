import { nextSize } from '@/lib/settlement/commands/batches';

describe('the next batch of settlement', () => {
  it('is smaller where the last one held the end of the ledger for too long, so that whoever publishes waits little', () => {
    expect(nextSize(1000, 400, 1000)).toBe(300);
    expect(nextSize(1000, 2_000, 1000)).toBe(100);
    expect(nextSize(100, 60_000, 1000)).toBe(100);
  });

  it('grows again, to twice the last one and no more than asked for', () => {
    expect(nextSize(100, 20, 1000)).toBe(200);
    expect(nextSize(800, 20, 1000)).toBe(1000);
    expect(nextSize(400, 0, 1000)).toBe(800);
    expect(nextSize(1, 500, 1)).toBe(1);
  });
});
