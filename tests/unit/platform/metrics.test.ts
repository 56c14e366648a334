import { addGauge, observeRequest, readMetrics } from '@/lib/platform/metrics';

const linesOf = async (name: string) => (await readMetrics()).text.split('\n').filter((line) => line.startsWith(name));

test('requests are counted by route, and a method that is none of the known ones as one label', async () => {
  for (const method of ['GET', 'BREW', 'PROPFIND'])
    observeRequest({ method, route: '/tips', status: 200, seconds: 0.03, cache: 'hit' });
  const counts = await linesOf('tipledger_request_seconds_count');
  expect(counts).toEqual([
    'tipledger_request_seconds_count{method="GET",route="/tips",status="200",cache="hit"} 1',
    'tipledger_request_seconds_count{method="other",route="/tips",status="200",cache="hit"} 2',
  ]);
  expect(await linesOf('tipledger_request_seconds_bucket{le="0.1",method="GET"')).toHaveLength(1);
});

test('a figure is asked for at each reading, and left out while it is not known', async () => {
  let figure: ReadonlyMap<string, number> = new Map([['', 7]]);
  addGauge('tipledger_example', 'An example.', null, () => figure);
  expect(await linesOf('tipledger_example')).toEqual(['tipledger_example 7']);
  figure = new Map();
  expect(await linesOf('tipledger_example')).toEqual([]);
  addGauge(
    'tipledger_example',
    'An example.',
    'state',
    () =>
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
  );
  expect(await linesOf('tipledger_example')).toEqual([
    'tipledger_example{state="a"} 1',
    'tipledger_example{state="b"} 2',
  ]);
});

test('the text is OpenMetrics and tells of the process itself', async () => {
  const { type, text } = await readMetrics();
  expect(type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).toContain('process_resident_memory_bytes');
  expect(text.trimEnd().endsWith('# EOF')).toBe(true);
});
