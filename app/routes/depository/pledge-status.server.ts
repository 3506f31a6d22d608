import { type OnePledgeRequest } from '#contract/depository'
import { unreadIn } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { formatMoment } from '#contract/values/moments'
import { nameUnits } from '#contract/values/unit-names'
import { now, tellDue } from '~/broker/clock.server'
import { confirmPath } from '~/lib/sign-pages'
import { formatUnits } from '~/lib/units'
import { nameCode } from '~/lib/unknown'

/** The name of what was asked; an unknown action as the broker wrote it. */
export const nameAction = ({ action }: Pick<OnePledgeRequest, 'action'>) => nameCode({ pledge: 'Pledge', unpledge: 'Unpledge' }, action)

/**
 * Describes the state of a request, for the list and for the page of one request. `sold`: when the broker sells funded shares that stay
 * unpledged. `isBegun`: the client opened the page to confirm, and does not come back from the depository.
 */
export function describePledge(request: OnePledgeRequest, { sold, isBegun = false }: { sold?: string; isBegun?: boolean } = {}) {
	const { action, status, last_outcome, reason, confirm_by, margin_from, request_id, ended_at } = request
	const reference = `Reference ${request_id}.`
	if (status === 'CONFIRMED') {
		const counts =
			action === 'pledge'
				? ` It counts as margin from ${formatDay(margin_from)}.`
				: action === 'unpledge'
					? ' The shares are free, and they are no margin any more.'
					: ''
		return {
			heading: `${isKnown(request) ? nameAction(request) : 'Request'} confirmed`,
			kind: 'success' as const,
			status: 'Confirmed',
			mark: 'done' as const,
			message: `${ended_at ? `Confirmed at ${formatMoment(ended_at)}` : 'Confirmed'}.${counts} ${reference}`,
		}
	}
	if (status === 'LAPSED') {
		const message = `Not confirmed by ${formatMoment(confirm_by)}, so nothing has changed. ${reference}`
		return { heading: 'Not confirmed in time', kind: 'warning' as const, status: 'Not confirmed in time', mark: 'over' as const, message }
	}
	const why = reason ? `${reason.replace(/\.$/, '')}. ` : ''
	if (status !== 'WAITING') {
		const state = nameCode({}, status)
		const message = `${why}The broker states the status ${state}. ${reference}`
		return { heading: 'Result not known yet', kind: 'info' as const, status: state, mark: undefined, message }
	}
	const deadline = formatMoment(confirm_by)
	// Funded shares can be confirmed until the broker sells them.
	const until = `${isLate(request) ? `It was due by ${deadline}, and you can still confirm.` : `You can confirm until ${deadline}.`}${isFunding(request) ? ` ${tellSale(sold)}` : ''} ${reference}`
	const heading = isBegun ? `Confirm the ${nameDeed(request)}` : 'Not confirmed'
	if (last_outcome === 'FAILED') {
		const message = `It failed. ${why}Nothing has changed. ${until}`
		return { heading, kind: 'error' as const, status: 'Failed', mark: 'failed' as const, message }
	}
	const what = last_outcome === 'CANCELLED' ? 'You cancelled at the depository.' : 'This has not been confirmed yet.'
	return {
		heading,
		kind: 'info' as const,
		status: 'Awaiting your confirmation',
		mark: 'todo' as const,
		message: `${what} Nothing has changed. ${until}`,
	}
}

const nameDeed = (request: OnePledgeRequest) => (isKnown(request) ? request.action : 'request')

const isKnown = ({ action }: OnePledgeRequest) => action === 'pledge' || action === 'unpledge'

const isFunding = ({ purpose, action }: OnePledgeRequest) => purpose === 'MTF' && action === 'pledge'

/** True when one of the requests that the client can confirm is of funded shares. */
export const hasFundingPledge = (requests: readonly OnePledgeRequest[]) =>
	requests.some((request) => request.esign_response !== null && isFunding(request))

/** Says what happens to funded shares that stay unpledged, and when if that is known. */
const tellSale = (sold: string | undefined) =>
	`If you do not confirm it, the broker sells these shares ${sold ? `at ${sold}.` : 'a few days later. MTF in the menu shows when.'}`

/** With more requests than these, the page links to its list, because the notices would push the form off the screen. */
const MOST_SHOWN = 2

/**
 * Returns a notice for each request that the client can still confirm, with its deadline, the nearest first. With more than two, returns
 * one notice with their number. `sales`: when the broker sells funded shares that stay unpledged, by the reference of their request.
 */
export function listWaiting(requests: readonly OnePledgeRequest[], sales: ReadonlyMap<string, string>) {
	const waiting = requests.filter(({ esign_response }) => esign_response !== null).sort((a, b) => (a.confirm_by < b.confirm_by ? -1 : 1))
	const [first] = waiting
	if (first && waiting.length > MOST_SHOWN) {
		const title = `${waiting.length} requests wait for your confirmation, the first ${tellDue(first.confirm_by)}.`
		return [{ id: 'all', title, href: '#requests', label: 'See them' }]
	}
	return waiting.map((request) => {
		const deed = nameDeed(request)
		// Has its own name, because a margin pledge on the same page has a different deadline.
		const named = request.purpose === 'MTF' ? `MTF ${deed}` : deed
		return {
			id: request.request_id,
			title: `${isLate(request) ? 'The' : 'Confirm the'} ${named}${tellSecurities(request)} ${tellDue(request.confirm_by)}.`,
			words: isFunding(request) ? tellSale(sales.get(request.request_id)) : undefined,
			href: confirmPath(request.request_id),
			label: `Confirm the ${deed}`,
		}
	})
}

/** Returns ` of 5 shares of Axis Bank Ltd.`; nothing when a line of the request could not be read. */
function tellSecurities(request: OnePledgeRequest): string {
	const { lines } = request
	if (unreadIn(lines)) return ''
	const [line] = lines
	const what =
		lines.length === 1 && line
			? `${formatUnits(line.qty)} ${nameUnits(line.isin, line.qty)} of ${line.stock_name}`
			: `${lines.length} securities`
	return ` ${isKnown(request) ? 'of' : 'for'} ${what}`
}

/** Funded shares can be confirmed after their deadline too, until the broker sells them. */
export const isLate = ({ confirm_by }: OnePledgeRequest) => new Date(confirm_by) < now()
