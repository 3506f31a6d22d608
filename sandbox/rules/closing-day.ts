import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { isTradingDay } from './calendar'

/** Working days from the signature to the closing of the account. */
const PROCESSING_DAYS = 3

/** The day by which an account is closed whose closure was signed at this moment. */
export function findClosingDay(signed: Date): Day {
	let [last, left] = [toIndianDay(signed), PROCESSING_DAYS]
	while (left > 0) {
		last = addDays(last, 1)
		if (isTradingDay(last)) left--
	}
	return last
}

/** True when that day is over. */
export const isClosed = (signed: Date, now: Date): boolean => toIndianDay(now) > findClosingDay(signed)
