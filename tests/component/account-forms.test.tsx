import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { ForgottenPasswordForm } from '@/components/account/forgotten-password-form';
import { LoginForm } from '@/components/account/login-form';
import { LoginModal } from '@/components/account/login-modal';
import { NewPasswordForm } from '@/components/account/new-password-form';
import { RegisterForm } from '@/components/account/register-form';
import { VerifyForm } from '@/components/account/verify-form';
import { ApiError } from '@/components/state/api';
import { asSent } from '../support/sent-calls';
import { timeZones } from '@/lib/reference/schema';

const api = jest.fn();
const signIn = jest.fn();
const enter = jest.fn();
const reloadUser = jest.fn();
const signOut = jest.fn();
const left: string[] = [];
const take = jest.fn();

jest.mock('@/components/state/session', () => ({
  signIn: (given: unknown) => signIn(given) as unknown,
  enter: async (call: Promise<unknown>) => enter(await call) as unknown,
  reloadUser: () => reloadUser() as unknown,
  signOut: () => signOut() as unknown,
}));
jest.mock('@/components/state/api', () => ({
  ...jest.requireActual<object>('@/components/state/api'),
  api: (...given: Parameters<typeof asSent>) => api(...asSent(...given)) as unknown,
}));
jest.mock('@/components/state/auth-navigation', () => ({ leaveFor: (address: string) => left.push(address) }));
jest.mock('@/components/state/go-on', () => ({ goOn: (address: string) => left.push(address) }));
jest.mock('@/components/account/proof-of-work', () => ({
  makeProofOfWork: () => ({ prepare: () => undefined, take: () => take() as unknown }),
}));

beforeEach(() => {
  jest.resetAllMocks();
  left.length = 0;
});

const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const send = async (name: string | RegExp) =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const refuse = (status: number, answer: unknown) => new ApiError({ status, text: '', url: '/api/x', answer });

describe('the login', () => {
  const fill = () => {
    type('Username or e-mail address', 'bob');
    type('Password', 'wrong words');
  };

  it('signs in and goes on to where the visitor wanted to go', async () => {
    render(<LoginForm redirectTo="/tipster/ann" />);
    fill();
    await send('Log in');
    expect(signIn).toHaveBeenCalledWith({ username: 'bob', password: 'wrong words' });
    expect(left).toEqual(['/tipster/ann']);
  });

  it('over a page also leads to an account', () => {
    render(<LoginModal />);
    expect(screen.getByRole('button', { name: 'Log in' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign up' })).toHaveAttribute('href', '/register');
  });

  it('goes on to the dashboard when nothing else was wanted', async () => {
    render(<LoginForm />);
    fill();
    await send('Log in');
    expect(left).toEqual(['/dashboard']);
  });

  it('says beside the field what is missing and puts the focus there, without asking the server', async () => {
    render(<LoginForm />);
    type('Password', 'something');
    await send('Log in');
    expect(signIn).not.toHaveBeenCalled();
    expect(screen.getByLabelText('Username or e-mail address')).toHaveFocus();
    expect(screen.getByLabelText('Username or e-mail address')).toHaveAccessibleDescription(
      'Enter your username or e-mail address.',
    );
    expect(screen.getByLabelText('Username or e-mail address')).toBeInvalid();
  });

  it('keeps what was typed when it is refused, and says why beside the field', async () => {
    signIn.mockRejectedValue(
      refuse(401, {
        message: 'Wrong username or password.',
        fields: { password: 'Wrong username or password.' },
      }),
    );
    render(<LoginForm />);
    fill();
    await send('Log in');
    await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus());
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Wrong username or password.');
    expect(screen.getByLabelText('Username or e-mail address')).toHaveValue('bob');
    expect(left).toEqual([]);
  });

  it('announces what concerns no field', async () => {
    signIn.mockRejectedValue(refuse(503, { message: 'The site is being repaired. Try again in a minute.' }));
    render(<LoginForm />);
    fill();
    await send('Log in');
    expect(await screen.findByRole('alert')).toHaveTextContent('The site is being repaired. Try again in a minute.');
  });

  it('is a form that the browser can send by itself, for password managers too', () => {
    const { container } = render(<LoginForm redirectTo="/tipster/ann" />);
    const form = container.querySelector('form');
    expect(form).toHaveAttribute('action', '/api/auth/token');
    expect(form).toHaveAttribute('method', 'post');
    expect(container.querySelector('input[name="redirect_to"]')).toHaveValue('/tipster/ann');
    expect(screen.getByLabelText('Username or e-mail address')).toHaveAttribute('autocomplete', 'username');
    expect(screen.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password');
  });

  it('shows again what was refused without script', () => {
    render(<LoginForm kept={{ message: 'Wrong.', fields: { password: 'is wrong' }, values: { username: 'bob' } }} />);
    expect(screen.getByLabelText('Username or e-mail address')).toHaveValue('bob');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Is wrong.');
    expect(screen.getByRole('alert')).toHaveTextContent('Wrong.');
  });

  it('shows the password while its button is pressed in', () => {
    render(<LoginForm />);
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
    fireEvent.click(screen.getByRole('button', { name: 'Show the password' }));
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
    expect(screen.getByRole('button', { name: 'Show the password' })).toHaveAttribute('aria-pressed', 'true');
  });
});

describe('the sign-up', () => {
  const countries = [
    { value: 'GB', title: 'United Kingdom' },
    { value: 'NP', title: 'Nepal' },
  ];
  const zones = timeZones.filter(({ tz }) => ['Europe/London', 'Asia/Kathmandu'].includes(tz));
  const show = (kept?: { message: null; fields: Record<string, string>; values: Record<string, string> }) =>
    render(
      <RegisterForm
        countries={countries}
        zones={zones}
        zoneChoices={zones.map(({ id, name }) => ({ value: id, title: name }))}
        place={{ location: 'GB', timezoneId: String(zones[0]?.id) }}
        {...(kept && { kept })}
      />,
    );
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const fill = () => {
    type('E-mail address', ' carol@example.com ');
    type('Username', 'carol');
    type('Password', 'plum river lantern');
    fireEvent.click(screen.getByLabelText(/^I am 18 or older/));
  };

  it('sends exactly what the specification names, with the proof of work, and signs in with the answer', async () => {
    take.mockResolvedValue('the proof');
    api.mockResolvedValue({ token: 't', refreshToken: 'r', role: 0 });
    show();
    fill();
    const timezoneId = Number((screen.getByLabelText('Time zone') as HTMLSelectElement).value);
    const location = (screen.getByLabelText('Country') as HTMLSelectElement).value;
    await send('Sign up');
    expect(api).toHaveBeenCalledWith('/account/register', {
      method: 'POST',
      body: {
        email: 'carol@example.com',
        username: 'carol',
        password: 'plum river lantern',
        location,
        timezoneId,
        news: false,
        terms: true,
        token: 'the proof',
      },
      bearer: 'none',
    });
    expect(enter).toHaveBeenCalledWith({ token: 't', refreshToken: 'r', role: 0 });
    expect(left).toEqual(['/dashboard']);
  });

  it('guesses the time zone from the device, and leaves what was chosen before', () => {
    const { unmount } = show();
    const near = zones.find(({ tz }) => tz === (/Kat[h]?mandu/.test(device) ? 'Asia/Kathmandu' : 'Europe/London'));
    expect(screen.getByLabelText('Time zone')).toHaveValue(String(near?.id));
    unmount();
    const other = zones.find((zone) => zone !== near);
    show({ message: null, fields: {}, values: { timezoneId: String(other?.id), location: 'GB' } });
    expect(screen.getByLabelText('Time zone')).toHaveValue(String(other?.id));
    expect(screen.getByLabelText('Country')).toHaveValue('GB');
  });

  it('leaves what was chosen before the script came', () => {
    const container = document.body.appendChild(document.createElement('div'));
    const choices = zones.map(({ id, name }) => ({ value: id, title: name }));
    const away = zones.find(({ tz }) => tz !== (/Kat[h]?mandu/.test(device) ? 'Asia/Kathmandu' : 'Europe/London'));
    const form = (
      <RegisterForm
        countries={[...countries, { value: 'FR', title: 'France' }]}
        zones={zones}
        zoneChoices={[{ value: 0, title: 'Somewhere' }, ...choices]}
        place={{ location: 'GB', timezoneId: '0' }}
      />
    );
    container.innerHTML = renderToString(form);
    const chosen = (name: string, value: string) => {
      const select = container.querySelector<HTMLSelectElement>(`[name="${name}"]`);
      if (select) select.value = value;
    };
    chosen('location', 'FR');
    chosen('timezoneId', String(away?.id));
    render(form, { container, hydrate: true });
    expect(screen.getByLabelText('Country')).toHaveValue('FR');
    expect(screen.getByLabelText('Time zone')).toHaveValue(String(away?.id));
  });

  it('wants the terms ticked and ten characters before it asks the server', async () => {
    show();
    type('E-mail address', 'carol');
    type('Username', 'Carol Smith');
    type('Password', 'short');
    await send('Sign up');
    expect(screen.getByLabelText('E-mail address')).toHaveAccessibleDescription(
      'Write an e-mail address such as name@example.com.',
    );
    expect(screen.getByLabelText('Username')).toHaveAccessibleDescription(
      /Use letters, digits and single hyphens only\.$/,
    );
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(/Use 10 characters at least\.$/);
    expect(screen.getByLabelText(/^I am 18 or older/)).toHaveAccessibleDescription(
      'Tick this to sign up: you must be 18 or over and accept the terms.',
    );
    expect(screen.getByLabelText('E-mail address')).toHaveFocus();
    expect(api).not.toHaveBeenCalled();
  });

  it('says what the server refuses beside the field, as a sentence', async () => {
    take.mockResolvedValue('the proof');
    api.mockRejectedValue(
      refuse(409, { message: 'The name carol is taken.', fields: { username: 'is taken: choose another' } }),
    );
    show();
    fill();
    await send('Sign up');
    await waitFor(() =>
      expect(screen.getByLabelText('Username')).toHaveAccessibleDescription(/Is taken: choose another\.$/),
    );
    expect(screen.getByLabelText('Password')).toHaveValue('plum river lantern');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the confirmation', () => {
  beforeEach(() => api.mockResolvedValue({ verified: true, purpose: 'confirm' }));

  it('sends address and code trimmed, reloads the user and goes on', async () => {
    render(<VerifyForm email="carol@example.com" redirectTo="/tipster/ann" />);
    expect(screen.getByLabelText('Six-digit code')).toHaveAttribute('autocomplete', 'one-time-code');
    type('Six-digit code', ' 123456 ');
    await send('Confirm');
    expect(api).toHaveBeenCalledWith('/account/verify-code', {
      method: 'POST',
      body: { emailAddress: 'carol@example.com', code: '123456' },
      bearer: 'none',
    });
    expect(reloadUser).toHaveBeenCalled();
    expect(left).toEqual(['/tipster/ann']);
  });

  it('says that a code is for a new password, and does not go on', async () => {
    api.mockResolvedValue({ verified: true, purpose: 'password' });
    render(<VerifyForm email="carol@example.com" />);
    type('Six-digit code', '123456');
    await send('Confirm');
    expect(await screen.findByRole('alert')).toHaveTextContent(/^This code is for a new password\./);
    expect(screen.getByRole('link', { name: 'Forgotten password' })).toHaveAttribute('href', '/forgotten-password');
    expect([reloadUser.mock.calls.length, left]).toEqual([0, []]);
  });

  it.each(['12345', 'abcdef', '1234567'])('takes no %s', async (code) => {
    render(<VerifyForm email="carol@example.com" />);
    type('Six-digit code', code);
    await send('Confirm');
    expect(screen.getByLabelText('Six-digit code')).toHaveAccessibleDescription(
      /Enter the six digits from the e-mail\.$/,
    );
    expect(api).not.toHaveBeenCalled();
  });

  it('asks for a new code without a payload, says that it comes, and no more when the next one is refused', async () => {
    render(<VerifyForm email="carol@example.com" />);
    await send('Send a new code');
    expect(api).toHaveBeenCalledWith('/account/resend-code', { method: 'POST' });
    expect(await screen.findByRole('status')).toHaveTextContent('A new code is on its way to carol@example.com.');
    api.mockRejectedValue(refuse(409, { message: '5 codes were asked for within an hour.' }));
    await send('Send a new code');
    expect(await screen.findByRole('alert')).toHaveTextContent('5 codes were asked for within an hour.');
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('says of an address that is typed only what is so whether it has an account or not', async () => {
    render(<VerifyForm email={null} />);
    type('No e-mail? Your e-mail address', 'carol@example.com');
    await send('Send a new code');
    expect(api).toHaveBeenCalledWith('/account/resend-code', {
      method: 'POST',
      body: { emailAddress: 'carol@example.com' },
    });
    expect(await screen.findByRole('status')).toHaveTextContent(
      /^If this address waits to be confirmed, a new code is on its way to it, five an hour at most\./,
    );
  });
});

describe('a forgotten password', () => {
  it('asks for another code for the same address with a proof of its own, and keeps what was typed', async () => {
    take.mockResolvedValueOnce('the proof').mockResolvedValueOnce('another proof');
    render(<ForgottenPasswordForm />);
    type('E-mail address', 'carol@example.com');
    await send('Send me a code');
    type('New password', 'plum river lantern');
    await send('Send a new code');
    expect(api).toHaveBeenLastCalledWith('/account/forgotten-password', {
      method: 'POST',
      body: { emailAddress: 'carol@example.com', token: 'another proof' },
      bearer: 'none',
    });
    expect(
      await screen.findByText(
        'If carol@example.com has an account, a new code is on its way to it, five an hour at most. Only the newest works.',
      ),
    ).toBeInTheDocument();
    expect(screen.getByLabelText('New password')).toHaveValue('plum river lantern');
  });

  it('asks for a code with a proof of work, then for the code and a new password', async () => {
    take.mockResolvedValue('the proof');
    render(<ForgottenPasswordForm />);
    type('E-mail address', ' carol@example.com');
    await send('Send me a code');
    expect(api).toHaveBeenCalledWith('/account/forgotten-password', {
      method: 'POST',
      body: { emailAddress: 'carol@example.com', token: 'the proof' },
      bearer: 'none',
    });
    expect(await screen.findByRole('status')).toHaveTextContent(
      'If carol@example.com has an account, a code is on its way to it, five an hour at most.',
    );
    type('Six-digit code', '654321');
    type('New password', 'plum river lantern');
    await send('Change the password');
    expect(api).toHaveBeenLastCalledWith('/account/change-password', {
      method: 'POST',
      body: { newPassword: 'plum river lantern', emailAddress: 'carol@example.com', code: '654321' },
      bearer: 'none',
    });
    expect(await screen.findByText(/^Your password has been changed/)).toBeInTheDocument();
    expect(signOut).toHaveBeenCalledTimes(1);
  });

  it('needs no code with the link of the mail', async () => {
    render(<NewPasswordForm guid="0b5f9c1e-7d6c-4b8e-9a57-0d6a6f0a4f11" />);
    expect(screen.queryByLabelText('Six-digit code')).toBeNull();
    type('New password', 'plum river lantern');
    await send('Change the password');
    expect(api).toHaveBeenCalledWith('/account/change-password', {
      method: 'POST',
      body: { newPassword: 'plum river lantern', guid: '0b5f9c1e-7d6c-4b8e-9a57-0d6a6f0a4f11' },
      bearer: 'none',
    });
  });
});
