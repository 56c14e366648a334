import { roundedDegrees } from '@/lib/accounts/rules/geocoding';
import { api } from '../state/api';

const patienceMilliseconds = 15_000;

const position = () =>
  new Promise<GeolocationPosition>((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, { timeout: patienceMilliseconds, maximumAge: 3_600_000 }),
  );

/** The two letters of the country that the visitor is in, once they have let the browser tell; null when they have not, or nothing tells. */
export async function locateCountry(): Promise<string | null> {
  try {
    const { coords } = await position();
    const { location, found } = await api('POST /account/country', {
      body: { latitude: roundedDegrees(coords.latitude), longitude: roundedDegrees(coords.longitude) },
      bearer: 'none',
    });
    return found ? location : null;
  } catch {
    return null;
  }
}
