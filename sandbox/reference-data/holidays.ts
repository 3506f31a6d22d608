import { weekday } from '#contract/values/dates'

/*
 * Days on which NSE's equity segment differs from a plain Monday-to-Friday calendar, 2022 to 2026. Sources: NSE circulars CMTR71775
 * (2026) and CMTR72349 (Sunday 1-Feb-2026), the XBOM calendar of gerrymanoim/exchange_calendars (2022-2025). The sessions of 2-Mar and
 * 18-May-2024 and the Muhurat timings are from memory. Later years have the holidays with a fixed date, earlier years weekends only.
 */
type CalendarMark = 'HOLIDAY' | 'MUHURAT' | 'SPECIAL_OPEN' | 'SETTLEMENT_HOLIDAY'

type MarkedDay = readonly [day: string, mark: CalendarMark, name: string]

const listed: readonly MarkedDay[] = [
	['2022-01-26', 'HOLIDAY', 'Republic Day'],
	['2022-03-01', 'HOLIDAY', 'Mahashivratri'],
	['2022-03-18', 'HOLIDAY', 'Holi'],
	['2022-04-14', 'HOLIDAY', 'Ambedkar Jayanti / Mahavir Jayanti'],
	['2022-04-15', 'HOLIDAY', 'Good Friday'],
	['2022-05-03', 'HOLIDAY', 'Id-Ul-Fitr'],
	['2022-08-09', 'HOLIDAY', 'Muharram'],
	['2022-08-15', 'HOLIDAY', 'Independence Day'],
	['2022-08-31', 'HOLIDAY', 'Ganesh Chaturthi'],
	['2022-10-05', 'HOLIDAY', 'Dussehra'],
	['2022-10-24', 'HOLIDAY', 'Diwali Laxmi Pujan (Muhurat session)'],
	['2022-10-24', 'MUHURAT', 'evening session'],
	['2022-10-26', 'HOLIDAY', 'Diwali Balipratipada'],
	['2022-11-08', 'HOLIDAY', 'Guru Nanak Jayanti'],
	['2023-01-26', 'HOLIDAY', 'Republic Day'],
	['2023-03-07', 'HOLIDAY', 'Holi'],
	['2023-03-30', 'HOLIDAY', 'Ram Navami'],
	['2023-04-04', 'HOLIDAY', 'Mahavir Jayanti'],
	['2023-04-07', 'HOLIDAY', 'Good Friday'],
	['2023-04-14', 'HOLIDAY', 'Ambedkar Jayanti'],
	['2023-05-01', 'HOLIDAY', 'Maharashtra Day'],
	['2023-06-29', 'HOLIDAY', 'Bakri Id (moved from 28 Jun)'],
	['2023-08-15', 'HOLIDAY', 'Independence Day'],
	['2023-09-19', 'HOLIDAY', 'Ganesh Chaturthi'],
	['2023-10-02', 'HOLIDAY', 'Gandhi Jayanti'],
	['2023-10-24', 'HOLIDAY', 'Dussehra'],
	['2023-11-12', 'MUHURAT', 'Sunday evening session'],
	['2023-11-14', 'HOLIDAY', 'Diwali Balipratipada'],
	['2023-11-27', 'HOLIDAY', 'Guru Nanak Jayanti'],
	['2023-12-25', 'HOLIDAY', 'Christmas'],
	['2024-01-20', 'SPECIAL_OPEN', 'Saturday session'],
	['2024-01-22', 'HOLIDAY', 'Special holiday (Ram Mandir)'],
	['2024-01-26', 'HOLIDAY', 'Republic Day'],
	['2024-03-02', 'SPECIAL_OPEN', 'Saturday DR session'],
	['2024-03-08', 'HOLIDAY', 'Mahashivratri'],
	['2024-03-25', 'HOLIDAY', 'Holi'],
	['2024-03-29', 'HOLIDAY', 'Good Friday'],
	['2024-04-11', 'HOLIDAY', 'Id-Ul-Fitr'],
	['2024-04-17', 'HOLIDAY', 'Ram Navami'],
	['2024-05-01', 'HOLIDAY', 'Maharashtra Day'],
	['2024-05-18', 'SPECIAL_OPEN', 'Saturday DR session'],
	['2024-05-20', 'HOLIDAY', 'General election (Mumbai)'],
	['2024-06-17', 'HOLIDAY', 'Bakri Id'],
	['2024-07-17', 'HOLIDAY', 'Muharram'],
	['2024-08-15', 'HOLIDAY', 'Independence Day'],
	['2024-10-02', 'HOLIDAY', 'Gandhi Jayanti'],
	['2024-11-01', 'HOLIDAY', 'Diwali Laxmi Pujan (Muhurat session)'],
	['2024-11-01', 'MUHURAT', 'evening session'],
	['2024-11-15', 'HOLIDAY', 'Guru Nanak Jayanti'],
	['2024-11-20', 'HOLIDAY', 'Maharashtra Assembly election'],
	['2024-12-25', 'HOLIDAY', 'Christmas'],
	['2025-02-01', 'SPECIAL_OPEN', 'Saturday, Union Budget'],
	['2025-02-26', 'HOLIDAY', 'Mahashivratri'],
	['2025-03-14', 'HOLIDAY', 'Holi'],
	['2025-03-31', 'HOLIDAY', 'Id-Ul-Fitr'],
	['2025-04-10', 'HOLIDAY', 'Mahavir Jayanti'],
	['2025-04-14', 'HOLIDAY', 'Ambedkar Jayanti'],
	['2025-04-18', 'HOLIDAY', 'Good Friday'],
	['2025-05-01', 'HOLIDAY', 'Maharashtra Day'],
	['2025-08-15', 'HOLIDAY', 'Independence Day'],
	['2025-08-27', 'HOLIDAY', 'Ganesh Chaturthi'],
	['2025-10-02', 'HOLIDAY', 'Gandhi Jayanti / Dussehra'],
	['2025-10-21', 'HOLIDAY', 'Diwali Laxmi Pujan (Muhurat session)'],
	['2025-10-21', 'MUHURAT', '13:45-14:45'],
	['2025-10-22', 'HOLIDAY', 'Diwali Balipratipada'],
	['2025-11-05', 'HOLIDAY', 'Guru Nanak Jayanti'],
	['2025-12-25', 'HOLIDAY', 'Christmas'],
	['2026-01-15', 'HOLIDAY', 'Municipal Corporation elections, Maharashtra (added 12-Jan-2026)'],
	['2026-01-26', 'HOLIDAY', 'Republic Day'],
	['2026-02-01', 'SPECIAL_OPEN', 'Sunday, Union Budget'],
	['2026-02-19', 'SETTLEMENT_HOLIDAY', 'Shivaji Jayanti (market open, no pay-in/pay-out)'],
	['2026-03-03', 'HOLIDAY', 'Holi'],
	['2026-03-19', 'SETTLEMENT_HOLIDAY', 'Gudhi Padwa (market open, no pay-in/pay-out)'],
	['2026-03-26', 'HOLIDAY', 'Ram Navami'],
	['2026-03-31', 'HOLIDAY', 'Mahavir Jayanti'],
	['2026-04-01', 'SETTLEMENT_HOLIDAY', 'Annual bank closing (market open, no pay-in/pay-out)'],
	['2026-04-03', 'HOLIDAY', 'Good Friday'],
	['2026-04-14', 'HOLIDAY', 'Ambedkar Jayanti'],
	['2026-05-01', 'HOLIDAY', 'Maharashtra Day'],
	['2026-05-28', 'HOLIDAY', 'Bakri Id'],
	['2026-06-26', 'HOLIDAY', 'Muharram'],
	['2026-08-26', 'SETTLEMENT_HOLIDAY', 'Id-E-Milad (market open, no pay-in/pay-out)'],
	['2026-09-14', 'HOLIDAY', 'Ganesh Chaturthi'],
	['2026-10-02', 'HOLIDAY', 'Gandhi Jayanti'],
	['2026-10-20', 'HOLIDAY', 'Dussehra'],
	['2026-11-08', 'MUHURAT', 'Sunday, Diwali'],
	['2026-11-10', 'HOLIDAY', 'Diwali Balipratipada'],
	['2026-11-24', 'HOLIDAY', 'Guru Nanak Jayanti'],
	['2026-12-25', 'HOLIDAY', 'Christmas'],
]

/**
 * Holidays that have the same date every year. The source is the list, which has each in every year in which it is not on a weekend; of
 * 1 April only 2026 is known. NSE moves none from a weekend to another day.
 */
const fixed: readonly MarkedDay[] = [
	['01-26', 'HOLIDAY', 'Republic Day'],
	['04-01', 'SETTLEMENT_HOLIDAY', 'Annual bank closing (market open, no pay-in/pay-out)'],
	['04-14', 'HOLIDAY', 'Ambedkar Jayanti'],
	['05-01', 'HOLIDAY', 'Maharashtra Day'],
	['08-15', 'HOLIDAY', 'Independence Day'],
	['10-02', 'HOLIDAY', 'Gandhi Jayanti'],
	['12-25', 'HOLIDAY', 'Christmas'],
]

const FIRST_UNLISTED = 2027
const LAST_YEAR = 2099

/**
 * The fixed holidays of the years after the list. The moving ones (Holi, Good Friday, Diwali with its Muhurat session and others) are
 * missing until the exchange's list of the year is added above.
 */
function listFixed(): MarkedDay[] {
	const years = Array.from({ length: LAST_YEAR - FIRST_UNLISTED + 1 }, (_, at) => FIRST_UNLISTED + at)
	const days = years.flatMap((year) => fixed.map(([date, mark, name]): MarkedDay => [`${year}-${date}`, mark, name]))
	return days.filter(([day]) => weekday(day) !== 0 && weekday(day) !== 6)
}

/** Day, mark and name, oldest first. A day with both HOLIDAY and MUHURAT has trading only in the evening. */
export const calendarMarks: readonly MarkedDay[] = [...listed, ...listFixed()]
