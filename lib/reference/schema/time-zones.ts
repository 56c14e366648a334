import { z } from 'zod';

/**
 * Spec §3: one entry of the list of time zones. Ours: `offset` is the standard offset (the lesser one of the year) in minutes
 * east of UTC, `tz` the IANA zone that gives the offset of any moment.
 */
export const timeZoneSchema = z.strictObject({
  id: z.int().positive(),
  reference: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  name: z.string().min(1),
  offset: z.int().min(-720).max(780),
  tz: z.string().min(1),
});

/** Spec §3: one entry of the list of time zones. */
export type TimeZone = z.infer<typeof timeZoneSchema>;

// A row's place is its id, which users' settings keep: add at the end, remove nothing.
// Cities share a row when they keep the same time from November 2026 on. British Columbia, Alberta, Manitoba and Morocco
// gave up changing clocks in 2026, later than the time-zone data of Node 20 and of many browsers. Their rows therefore
// carry a zone that has long kept their present time: right from now on everywhere, an hour off for some earlier months.
const rows = [
  ['international-date-line-west', 'International Date Line West', -720, 'Etc/GMT+12'],
  ['pago-pago', 'Pago Pago, Alofi, Midway', -660, 'Pacific/Pago_Pago'],
  ['adak', 'Adak, Aleutian Islands', -600, 'America/Adak'],
  ['honolulu', 'Honolulu, Papeete, Rarotonga', -600, 'Pacific/Honolulu'],
  ['marquesas-islands', 'Marquesas Islands', -570, 'Pacific/Marquesas'],
  ['anchorage', 'Anchorage, Fairbanks, Juneau', -540, 'America/Anchorage'],
  ['gambier-islands', 'Gambier Islands', -540, 'Pacific/Gambier'],
  ['los-angeles', 'Los Angeles, Las Vegas, San Francisco, Seattle, Tijuana', -480, 'America/Los_Angeles'],
  ['pitcairn-islands', 'Pitcairn Islands', -480, 'Pacific/Pitcairn'],
  ['denver', 'Denver, Albuquerque, Salt Lake City', -420, 'America/Denver'],
  ['phoenix', 'Phoenix, Hermosillo, Mazatlán, Tucson', -420, 'America/Phoenix'],
  ['vancouver', 'Vancouver, Victoria, Whitehorse', -420, 'America/Whitehorse'],
  ['calgary', 'Calgary, Edmonton, Regina, Saskatoon', -360, 'America/Regina'],
  ['chicago', 'Chicago, Dallas, Houston, New Orleans', -360, 'America/Chicago'],
  ['easter-island', 'Easter Island', -360, 'Pacific/Easter'],
  ['guatemala-city', 'Guatemala City, Managua, San José, San Salvador', -360, 'America/Guatemala'],
  ['mexico-city', 'Mexico City, Guadalajara, Monterrey', -360, 'America/Mexico_City'],
  ['bogota', 'Bogotá, Lima, Quito', -300, 'America/Bogota'],
  ['kingston', 'Kingston, Cancún, Panama City', -300, 'America/Jamaica'],
  ['new-york', 'New York, Boston, Miami, Washington', -300, 'America/New_York'],
  ['toronto', 'Toronto, Montreal, Ottawa', -300, 'America/Toronto'],
  ['winnipeg', 'Winnipeg, Atikokan, Brandon', -300, 'America/Atikokan'],
  ['caracas', 'Caracas, Cuiabá, Georgetown, La Paz, Manaus', -240, 'America/Caracas'],
  ['halifax', 'Halifax, Hamilton, Moncton', -240, 'America/Halifax'],
  ['san-juan', 'San Juan, Bridgetown, Port of Spain, Santo Domingo', -240, 'America/Puerto_Rico'],
  ['santiago', 'Santiago, Valparaíso', -240, 'America/Santiago'],
  ['st-johns', "St John's, Newfoundland", -210, 'America/St_Johns'],
  ['asuncion', 'Asunción', -180, 'America/Asuncion'],
  ['buenos-aires', 'Buenos Aires, Córdoba, Rosario', -180, 'America/Argentina/Buenos_Aires'],
  ['montevideo', 'Montevideo, Cayenne, Paramaribo', -180, 'America/Montevideo'],
  ['saint-pierre', 'Saint Pierre and Miquelon', -180, 'America/Miquelon'],
  ['sao-paulo', 'São Paulo, Brasília, Rio de Janeiro, Salvador', -180, 'America/Sao_Paulo'],
  ['stanley', 'Stanley, Punta Arenas', -180, 'Atlantic/Stanley'],
  ['fernando-de-noronha', 'Fernando de Noronha, South Georgia', -120, 'America/Noronha'],
  ['nuuk', 'Nuuk, Ittoqqortoormiit', -120, 'America/Nuuk'],
  ['azores', 'Azores', -60, 'Atlantic/Azores'],
  ['praia', 'Praia, Cape Verde', -60, 'Atlantic/Cape_Verde'],
  ['utc', 'Coordinated Universal Time', 0, 'Etc/UTC'],
  ['casablanca', 'Casablanca, Abidjan, Accra, Dakar', 0, 'Africa/Abidjan'],
  ['las-palmas', 'Las Palmas, Funchal, Tórshavn', 0, 'Atlantic/Canary'],
  ['london', 'London, Dublin, Edinburgh, Lisbon', 0, 'Europe/London'],
  ['reykjavik', 'Reykjavik', 0, 'Atlantic/Reykjavik'],
  ['belgrade', 'Belgrade, Ljubljana, Sarajevo, Skopje, Zagreb', 60, 'Europe/Belgrade'],
  ['berlin', 'Berlin, Amsterdam, Vienna, Zurich', 60, 'Europe/Berlin'],
  ['lagos', 'Lagos, Algiers, Kinshasa, Luanda, Tunis', 60, 'Africa/Lagos'],
  ['madrid', 'Madrid, Barcelona, Seville, Valencia', 60, 'Europe/Madrid'],
  ['paris', 'Paris, Brussels, Luxembourg, Monaco', 60, 'Europe/Paris'],
  ['prague', 'Prague, Bratislava, Budapest, Warsaw', 60, 'Europe/Prague'],
  ['rome', 'Rome, Milan, Naples, Valletta', 60, 'Europe/Rome'],
  ['stockholm', 'Stockholm, Copenhagen, Oslo', 60, 'Europe/Stockholm'],
  ['athens', 'Athens, Bucharest, Chișinău, Nicosia, Sofia', 120, 'Europe/Athens'],
  ['beirut', 'Beirut', 120, 'Asia/Beirut'],
  ['cairo', 'Cairo, Alexandria', 120, 'Africa/Cairo'],
  ['gaza', 'Gaza, Hebron', 120, 'Asia/Gaza'],
  ['helsinki', 'Helsinki, Riga, Tallinn, Vilnius', 120, 'Europe/Helsinki'],
  ['jerusalem', 'Jerusalem, Haifa, Tel Aviv', 120, 'Asia/Jerusalem'],
  ['johannesburg', 'Johannesburg, Harare, Khartoum, Maputo, Tripoli', 120, 'Africa/Johannesburg'],
  ['kaliningrad', 'Kaliningrad', 120, 'Europe/Kaliningrad'],
  ['kyiv', 'Kyiv, Kharkiv, Odesa', 120, 'Europe/Kyiv'],
  ['amman', 'Amman, Damascus', 180, 'Asia/Amman'],
  ['istanbul', 'Istanbul, Ankara, Izmir', 180, 'Europe/Istanbul'],
  ['moscow', 'Moscow, Minsk, Saint Petersburg', 180, 'Europe/Moscow'],
  ['nairobi', 'Nairobi, Addis Ababa, Dar es Salaam, Kampala', 180, 'Africa/Nairobi'],
  ['riyadh', 'Riyadh, Baghdad, Doha, Kuwait City', 180, 'Asia/Riyadh'],
  ['tehran', 'Tehran, Isfahan, Mashhad', 210, 'Asia/Tehran'],
  ['baku', 'Baku, Samara, Tbilisi, Yerevan', 240, 'Asia/Baku'],
  ['dubai', 'Dubai, Abu Dhabi, Muscat', 240, 'Asia/Dubai'],
  ['port-louis', 'Port Louis, Mahé, Réunion', 240, 'Indian/Mauritius'],
  ['kabul', 'Kabul, Herat', 270, 'Asia/Kabul'],
  ['karachi', 'Karachi, Islamabad, Lahore', 300, 'Asia/Karachi'],
  ['tashkent', 'Tashkent, Almaty, Ashgabat, Dushanbe', 300, 'Asia/Tashkent'],
  ['yekaterinburg', 'Yekaterinburg, Chelyabinsk, Ufa', 300, 'Asia/Yekaterinburg'],
  ['mumbai', 'Mumbai, Chennai, Colombo, Delhi, Kolkata', 330, 'Asia/Kolkata'],
  ['kathmandu', 'Kathmandu, Pokhara', 345, 'Asia/Kathmandu'],
  ['dhaka', 'Dhaka, Bishkek, Omsk, Thimphu', 360, 'Asia/Dhaka'],
  ['yangon', 'Yangon, Mandalay', 390, 'Asia/Yangon'],
  ['bangkok', 'Bangkok, Hanoi, Jakarta, Phnom Penh', 420, 'Asia/Bangkok'],
  ['novosibirsk', 'Novosibirsk, Krasnoyarsk, Tomsk', 420, 'Asia/Novosibirsk'],
  ['beijing', 'Beijing, Chongqing, Shanghai, Shenzhen', 480, 'Asia/Shanghai'],
  ['hong-kong', 'Hong Kong, Macau, Taipei', 480, 'Asia/Hong_Kong'],
  ['perth', 'Perth', 480, 'Australia/Perth'],
  ['singapore', 'Singapore, Kuala Lumpur, Manila', 480, 'Asia/Singapore'],
  ['ulaanbaatar', 'Ulaanbaatar, Irkutsk', 480, 'Asia/Ulaanbaatar'],
  ['eucla', 'Eucla', 525, 'Australia/Eucla'],
  ['seoul', 'Seoul, Busan, Pyongyang', 540, 'Asia/Seoul'],
  ['tokyo', 'Tokyo, Osaka, Sapporo', 540, 'Asia/Tokyo'],
  ['yakutsk', 'Yakutsk, Chita', 540, 'Asia/Yakutsk'],
  ['adelaide', 'Adelaide, Broken Hill', 570, 'Australia/Adelaide'],
  ['darwin', 'Darwin, Alice Springs', 570, 'Australia/Darwin'],
  ['brisbane', 'Brisbane, Gold Coast', 600, 'Australia/Brisbane'],
  ['port-moresby', 'Port Moresby, Guam, Saipan', 600, 'Pacific/Port_Moresby'],
  ['sydney', 'Sydney, Canberra, Hobart, Melbourne', 600, 'Australia/Sydney'],
  ['vladivostok', 'Vladivostok, Khabarovsk', 600, 'Asia/Vladivostok'],
  ['lord-howe-island', 'Lord Howe Island', 630, 'Australia/Lord_Howe'],
  ['honiara', 'Honiara, Magadan, Nouméa, Port Vila', 660, 'Pacific/Guadalcanal'],
  ['norfolk-island', 'Norfolk Island', 660, 'Pacific/Norfolk'],
  ['auckland', 'Auckland, Christchurch, Wellington', 720, 'Pacific/Auckland'],
  ['suva', 'Suva, Funafuti, Majuro, Tarawa', 720, 'Pacific/Fiji'],
  ['kamchatka', 'Petropavlovsk-Kamchatsky', 720, 'Asia/Kamchatka'],
  ['chatham-islands', 'Chatham Islands', 765, 'Pacific/Chatham'],
  ['nukualofa', "Nuku'alofa", 780, 'Pacific/Tongatapu'],
  ['apia', 'Apia, Fakaofo', 780, 'Pacific/Apia'],
] as const;

/** Spec §3: the 102 time zones from UTC−12 to UTC+13, in the order of their standard offset. */
export const timeZones: readonly TimeZone[] = rows.map(([reference, name, offset, tz], at) => ({
  id: at + 1,
  reference,
  name,
  offset,
  tz,
}));

/** The same time zones by reference. */
export const timeZoneByReference = Object.fromEntries(timeZones.map((zone) => [zone.reference, zone])) as Readonly<
  Record<(typeof rows)[number][0], TimeZone>
>;

/** The time zone of a guest, and of a member who never chose one. Ours: London. */
export const defaultTimeZone: TimeZone = timeZoneByReference.london;
