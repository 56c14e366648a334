import { Role } from '@/lib/reference/schema';
import { bearer, openStaff } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { describeCall } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

let staff: Record<string, string> = {};

beforeAll(async () => {
  standAt(worldNow);
  staff = bearer((await openStaff('ann-staff', Role.admin, worldNow)).session);
});

describeCall('/admin/help-lines/{country}', 'POST', (ask) => {
  const line = {
    action: 'help-line.edit',
    revision: '0',
    name: 'A service',
    url: 'https://help.example/',
    telephone: '',
    shown: 'true',
  };
  const send = (body: object, country = 'NP') => ask({ params: { country }, body, headers: staff });

  test('tries, then sets a line once; the second time it is told that it is there', async () => {
    expect((await send({ ...line, preview: true })).view).toMatchObject({ entry: null, after: { Name: 'A service' } });
    expect((await send(line)).refusal?.fields).toMatchObject({ reason: expect.any(String) });
    const reason = 'There is one now';
    expect((await send({ ...line, reason })).view).toMatchObject({ entry: expect.any(Number) });
    expect((await send({ ...line, reason })).status).toBe(409);
  });

  test('refuses what is no country, no address and no order', async () => {
    expect((await send(line, 'nepal')).status).toBe(400);
    expect((await send({ ...line, preview: true }, 'ZZ')).status).toBe(404);
    expect((await send({ ...line, url: 'javascript:alert(1)', preview: true })).status).toBe(400);
    expect((await send({ ...line, more: 'x' })).status).toBe(400);
  });
});

describeCall('/admin/bookmakers/{bookmaker}', 'POST', (ask) => {
  const bookmaker = {
    action: 'bookmaker.edit',
    reason: 'The firm says so',
    revision: '0',
    url: 'https://www.bet365.com',
    bonusOffer: '',
    bonusTerms: '',
    rating: '',
    description: 'A large book.',
    bulletPoints: 'One\nTwo',
    backgroundColour: '#3A3F47',
    rank: '1000',
    showOnMarkets: 'true',
    marketsCountryBlock: 'FR',
    showOnLiveOdds: 'true',
    liveOddsCountryBlock: '',
    showOnAddTips: 'true',
    addTipsCountryBlock: '',
  };
  const send = (body: object, reference = 'bet365') => ask({ params: { bookmaker: reference }, body, headers: staff });

  test('changes a bookmaker once', async () => {
    expect((await send(bookmaker)).view).toMatchObject({
      entry: expect.any(Number),
      after: { Description: 'A large book.', Points: 'One\nTwo', 'Markets blocked in': 'FR' },
    });
    expect((await send(bookmaker)).status).toBe(409);
  });

  test.each([{ rating: '11' }, { rating: 'high' }, { rank: '-1' }, { showOnMarkets: 'perhaps' }, { revision: 'x' }])(
    'refuses %j',
    async (more) => {
      expect((await send({ ...bookmaker, revision: '1', ...more })).status).toBe(400);
    },
  );

  test('knows no other bookmaker', async () => {
    expect((await send(bookmaker, 'nobody')).status).toBe(404);
  });
});

describeCall('/admin/content/{kind}/{reference}', 'POST', (ask) => {
  const text = {
    action: 'content.save',
    reason: 'A first article',
    after: '0',
    title: 'By staff',
    summary: 'What staff say in an article of their own, long enough for search engines.',
    demo: 'false',
    body: 'Some *words* and a [link](/fixture).',
    sport: 'football',
    when: 'now',
    publishAt: '',
  };
  const send = (body: object, reference = 'by-staff', kind = 'articles') =>
    ask({ params: { kind, reference }, body, headers: staff });

  test('publishes an article once, takes it back and says what differs', async () => {
    expect((await send({ ...text, preview: true })).view).toMatchObject({
      entry: null,
      after: { Title: 'By staff', Version: 1, sport: 'football' },
    });
    expect((await send(text)).view).toMatchObject({ entry: expect.any(Number) });
    expect((await send(text)).status).toBe(409);
    const back = { action: 'content.restore', reason: 'As it was', after: '1', version: '1', when: 'now' };
    expect((await send(back)).view).toMatchObject({ after: { Version: 2, Differences: 'none' } });
    expect((await send({ ...back, after: '2', version: '' })).status).toBe(404);
    expect((await send({ action: 'content.withdraw', reason: 'Not needed', version: '9' })).status).toBe(404);
  });

  test('takes a text of staff off the site and publishes it again, each with its entry, once, and for staff alone', async () => {
    expect((await send({ ...text, summary: `${text.summary} Twice.` }, 'to-go')).status).toBe(200);
    const off = { action: 'content.take-off', reason: 'No longer true', after: '1' };
    expect((await ask({ params: { kind: 'articles', reference: 'to-go' }, body: off })).status).toBe(401);
    expect((await send({ ...off, reason: '' }, 'to-go')).status).toBe(400);
    expect((await send({ ...off, preview: true, reason: '' }, 'to-go')).view).toMatchObject({
      entry: null,
      after: { Public: false, 'Its address answers': '404', 'Links that will lead nowhere': 'none' },
    });
    expect((await send({ ...off, after: '0' }, 'to-go')).status).toBe(409);
    expect((await send(off, 'to-go')).view).toMatchObject({ entry: expect.any(Number) });
    expect((await send({ ...off, after: '2' }, 'to-go')).status).toBe(404);
    const back = { action: 'content.put-back', reason: 'True again', after: '2' };
    expect((await send(back, 'to-go')).view).toMatchObject({ entry: expect.any(Number), after: { Version: 3 } });
    expect((await send({ ...back, after: '3' }, 'to-go')).status).toBe(404);
    expect((await send(off, 'never-there')).status).toBe(404);
  });

  test.each([
    { when: 'at', publishAt: '' },
    { when: 'at', publishAt: '2020-01-01T00:00' },
    { body: '' },
    { sport: 'chess' },
    { title: '' },
    { body: 'See [this](/articles/nothing-there).' },
    { when: 'some day' },
  ])('refuses %j', async (more) => {
    expect((await send({ ...text, ...more }, 'another')).status).toBe(400);
  });

  test('edits neither the licences nor pages that are not there', async () => {
    expect((await send(text, 'licences', 'pages')).status).toBe(400);
    expect((await send(text, 'x', 'gossip')).status).toBe(400);
  });
});

describeCall('/admin/feeds/{feed}', 'POST', (ask) => {
  const settings = {
    action: 'feed.settings',
    reason: 'From now on',
    revision: '0',
    enabled: 'true',
    everyMinutes: '60',
    places: 'https://data.example.com/season.csv',
  };
  const send = (body: object, feed = 'football-data') => ask({ params: { feed }, body, headers: staff });

  test('sets a feed once and has it run', async () => {
    expect((await send({ action: 'feed.run', reason: 'Now' }, 'openfootball')).status).toBe(400);
    expect((await send(settings)).view).toMatchObject({ after: { 'Runs by itself': true, 'Minutes between': 60 } });
    expect((await send(settings)).status).toBe(409);
    expect((await send({ action: 'feed.run', reason: 'Now' })).view).toMatchObject({
      after: { 'Wanted since': expect.any(String) },
    });
  });

  test('refuses other feeds, intervals and addresses', async () => {
    expect((await send(settings, 'gossip')).status).toBe(400);
    expect((await send({ ...settings, revision: '1', everyMinutes: '1' })).status).toBe(400);
    expect((await send({ ...settings, revision: '1', places: 'https://192.168.0.1/x.csv' })).status).toBe(400);
  });
});

describeCall('/admin/names/{name}', 'POST', (ask) => {
  const send = (body: object, name = '1') => ask({ params: { name }, body, headers: staff });

  test('knows no name that no feed has used, and refuses what is no number', async () => {
    const settle = { action: 'name.settle', reason: 'The same club', reference: 'nobody' };
    expect((await send(settle)).status).toBe(404);
    expect((await send(settle, 'x')).status).toBe(400);
    expect((await send({ ...settle, action: 'name.forget' })).status).toBe(400);
    const takeBack = { action: 'name.unsettle', reason: 'Another club' };
    expect((await send(takeBack)).status).toBe(404);
    expect((await send({ ...takeBack, reference: 'ashby' })).status).toBe(400);
  });
});
