import { act, fireEvent, render, screen } from '@testing-library/react';
import { RegisterForm } from '@/components/account/register-form';
import { asSent } from '../support/sent-calls';
import { timeZones } from '@/lib/reference/schema';

const api = jest.fn();
jest.mock('@/components/state/api', () => ({
  api: (...given: Parameters<typeof asSent>) => api(...asSent(...given)) as unknown,
}));
jest.mock('@/components/account/guess-place', () => ({
  readDevice: () => ({}),
  guessCountry: () => null,
  guessTimeZone: () => null,
}));
jest.mock('next/navigation', () => ({
  usePathname: () => '/register',
  useRouter: () => ({ prefetch: () => undefined }),
}));

type Found = (position: { coords: { latitude: number; longitude: number } }) => void;
const getCurrentPosition = jest.fn();

beforeEach(() => {
  jest.resetAllMocks();
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } });
});

const show = (canLocate: boolean) =>
  render(
    <RegisterForm
      countries={[
        { value: 'GB', title: 'United Kingdom' },
        { value: 'FR', title: 'France' },
      ]}
      zones={timeZones.slice(0, 1)}
      zoneChoices={[{ value: 1, title: 'A zone' }]}
      place={{ location: 'GB', timezoneId: '1' }}
      canLocate={canLocate}
    />,
  );

const press = async () => {
  const button = await screen.findByRole('button', { name: 'Use my location' });
  await act(async () => void fireEvent.click(button));
};

test('nobody is asked where they are without a geocoder, nor before they ask for it', async () => {
  show(false);
  await act(async () => undefined);
  expect(screen.queryByRole('button', { name: 'Use my location' })).toBeNull();
  show(true);
  await screen.findByRole('button', { name: 'Use my location' });
  expect(getCurrentPosition).not.toHaveBeenCalled();
  expect(api).not.toHaveBeenCalled();
});

test('who lets the browser tell gets the country that the geocoder names, for a position of ten kilometres', async () => {
  getCurrentPosition.mockImplementation((found: Found) => found({ coords: { latitude: 48.8566, longitude: 2.3522 } }));
  api.mockResolvedValue({ location: 'FR', found: true });
  show(true);
  await press();
  expect(await screen.findByText('Set from your location.')).toBeInTheDocument();
  expect(screen.getByLabelText('Country')).toHaveValue('FR');
  expect(api).toHaveBeenCalledWith(
    '/account/country',
    expect.objectContaining({ method: 'POST', body: { latitude: 48.9, longitude: 2.4 } }),
  );
});

test.each([
  [
    'the visitor does not let the browser tell',
    () =>
      getCurrentPosition.mockImplementation((_: Found, refused: (error: Error) => void) =>
        refused(new Error('denied')),
      ),
  ],
  [
    'the geocoder knows nothing',
    () => {
      getCurrentPosition.mockImplementation((found: Found) => found({ coords: { latitude: 0, longitude: 0 } }));
      api.mockResolvedValue({ location: 'GB', found: false });
    },
  ],
  [
    'the call fails',
    () => {
      getCurrentPosition.mockImplementation((found: Found) => found({ coords: { latitude: 0, longitude: 0 } }));
      api.mockRejectedValue(new Error('no'));
    },
  ],
])('the default country is taken when %s', async (_, arrange) => {
  arrange();
  show(true);
  fireEvent.change(screen.getByLabelText('Country'), { target: { value: 'FR' } });
  await press();
  expect(await screen.findByText(/couldn’t find your location/)).toBeInTheDocument();
  expect(screen.getByLabelText('Country')).toHaveValue('GB');
});
