import { type z } from 'zod/v4'
import { type Notice } from '#contract/dashboard'
import { addDays, type Day, formatDay } from '#contract/values/dates'
import { calendarMarks } from '#sandbox/reference-data/holidays'

/** A holiday or a settlement is announced this many days before it. */
const ANNOUNCED_DAYS = 60

export type NoticeFacts = {
	today: Day
	/** The next settlement of the client's running account. */
	settlesOn: Day
	/** Securities with a lot of unknown cost. */
	unknownCost: string[]
}

type WireNotice = z.input<typeof Notice>

/** Current notices for this client, from the calendar and the book; newest first. */
export function listNotices(facts: NoticeFacts): WireNotice[] {
	const notices = [...holidayNotice(facts.today), ...settlementNotice(facts), ...accountNotices(facts)]
	return notices.sort((a, b) => b.date.localeCompare(a.date))
}

function announcedOn(day: Day, today: Day): Day {
	const date = addDays(day, -7)
	return date < today ? date : today
}

function holidayNotice(today: Day): WireNotice[] {
	const next = calendarMarks.find(([day, mark]) => mark === 'HOLIDAY' && day >= today && day <= addDays(today, ANNOUNCED_DAYS))
	if (next === undefined) return []
	const [day, , name] = next
	const body = `NSE and BSE are closed on ${formatDay(day)} on account of ${name}. Trades of the day before settle on the next settlement day.`
	const link = 'https://www.nseindia.com/resources/exchange-communication-holidays'
	return [{ date: announcedOn(day, today), title: `Trading holiday on ${formatDay(day)}`, body, link }]
}

function settlementNotice({ today, settlesOn: day }: NoticeFacts): WireNotice[] {
	if (day > addDays(today, ANNOUNCED_DAYS)) return []
	const body = `Money beyond your obligations and 225 % of your margin is paid to your bank account on ${formatDay(day)}.`
	return [{ date: announcedOn(day, today), title: `Running account settlement on ${formatDay(day)}`, body, link: null }]
}

/** Notices about the account. Things that the client must do are in the attention list instead. */
function accountNotices({ today, unknownCost }: NoticeFacts): WireNotice[] {
	const notices: WireNotice[] = []
	if (unknownCost.length > 0) {
		const body = `The cost of ${unknownCost.slice(0, 10).join(', ')} is not known to us, so it is left out of what you invested and gained.`
		notices.push({ date: today, title: 'Cost of some holdings is missing', body, link: null })
	}
	return notices
}
