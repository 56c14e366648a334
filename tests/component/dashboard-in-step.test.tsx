import { act, render } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { DashboardInStep } from '@/components/account/dashboard-in-step';
import { isOnlineAtom } from '@/components/state/connection';
import { type Identity, showMember } from '@/components/state/viewer';

const refresh = jest.fn();
jest.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => refresh() as unknown }) }));

const memberIn = (timezoneId: number, opens: number[] = []) =>
  ({ user: { username: 'bob' }, settings: { timezoneId }, portfolios: [], opens }) as unknown as Identity;

beforeEach(() => refresh.mockClear());

it('stays where it is while there is no connection, and asks for the page once there is one', () => {
  act(() => showMember(0, memberIn(1)));
  render(<DashboardInStep />);
  act(() => getDefaultStore().set(isOnlineAtom, false));
  act(() => showMember(0, memberIn(2)));
  expect(refresh).not.toHaveBeenCalled();
  act(() => getDefaultStore().set(isOnlineAtom, true));
  expect(refresh).toHaveBeenCalledTimes(1);
});

it('asks for the page once the member may read more or less than before, and for nothing else that is said of them', () => {
  act(() => showMember(0, memberIn(1)));
  render(<DashboardInStep />);
  act(() => showMember(0, memberIn(1)));
  expect(refresh).not.toHaveBeenCalled();
  act(() => showMember(0, memberIn(1, [5])));
  expect(refresh).toHaveBeenCalledTimes(1);
  act(() => showMember(0, memberIn(1)));
  expect(refresh).toHaveBeenCalledTimes(2);
});
