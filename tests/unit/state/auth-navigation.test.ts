import { leaveAsUnauthorised, leaveIfProtected } from '@/components/state/auth-navigation';

const assign = jest.fn();

function standOn(pathname: string, search: string): void {
  assign.mockClear();
  Object.defineProperty(globalThis, 'location', { configurable: true, value: { pathname, search, assign } });
}

afterEach(() => Reflect.deleteProperty(globalThis, 'location'));

describe('a page after its member has signed out', () => {
  it.each([
    ['/dashboard/settings', '?a=1', '/login?redirect_to=%2Fdashboard%2Fsettings%3Fa%3D1'],
    ['/tipster/ann/earnings', '', '/login?redirect_to=%2Ftipster%2Fann%2Fearnings'],
    // Spec §2.3, §2.4: an owner's page without a protected segment.
    ['/tipster/ann/autobets', '', '/dashboard'],
    ['/tipster/ann', '', null],
    ['/nowhere', '', null],
  ])('%s%s is left for %s', async (pathname, search, target) => {
    standOn(pathname, search);
    await leaveIfProtected();
    expect(assign.mock.calls).toEqual(target === null ? [] : [[target]]);
  });
});

describe('a page whose login is found to have run out', () => {
  it.each([
    ['/dashboard/settings', '?a=1', '/login?redirect_to=%2Fdashboard%2Fsettings%3Fa%3D1'],
    ['/tipster/ann', '', '/dashboard'],
    // The server has led there from where the member wanted to go, and they may be typing.
    ['/login', '?redirect_to=%2Fdashboard%2Fmemberships', null],
  ])('%s%s is left for %s', async (pathname, search, target) => {
    standOn(pathname, search);
    await leaveAsUnauthorised();
    expect(assign.mock.calls).toEqual(target === null ? [] : [[target]]);
  });
});
