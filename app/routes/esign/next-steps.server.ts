import { formatDay } from '#contract/values/dates'
import { type Broker } from '~/broker/client.server'
import { listClosureTasks } from '~/broker/closure.server'
import { CHANGE_PAGES } from '~/forms/change-pages'
import { CLOSURE } from '~/forms/closure-draft.server'
import { loadSidePart } from '~/http/partial-data.server'

/* What follows a signature, and the names of the pages that lead to one. */

const REQUESTS = '/myaccount/requests'
const PROFILE = '/myaccount'

/** What happens now, and the page that shows when it is done. */
export type NextSteps = { steps: string[]; files?: true; follow?: Place & { words: string } }
type Place = { href: string; label: string }

const CHANGES = Object.values(CHANGE_PAGES)

const CLOSURE_TITLE = 'Account closure'

/** What follows a signature on a page of My Account, by that page. */
const NEXT: Readonly<Record<string, string>> = {
	'/myaccount/segments': 'The segment is active within 3 working days.',
	'/myaccount/mobile': 'We now make this change, and send your old number a message.',
	'/myaccount/email': 'We now make this change, and send your old address a message.',
}

/**
 * Returns the page of My Account where a request of this title begins. The broker says the title, so the page is the same when it is
 * loaded again and the browser has forgotten what it signed.
 */
export function findFirstPage(title: string): string | undefined {
	return title === CLOSURE_TITLE ? CLOSURE : CHANGES.find(({ what }) => what === title)?.path
}

/** Returns the name of the value that a request of this title replaces, when it has one: `mobile number`. */
export function findSubject(title: string): string | undefined {
	const change = CHANGES.find(({ what }) => what === title)
	return change && 'subject' in change ? change.subject : undefined
}

/** After the signature of a mobile number or an e-mail its form has nothing more to do, and the profile shows the new one. */
export const findPageAfter = (firstPage: string): string => (/^\/myaccount\/(mobile|email)$/.test(firstPage) ? PROFILE : firstPage)

/** Undefined for a signature of another area, whose requests are in no list. */
export async function findNextSteps(broker: Broker, firstPage: string | undefined): Promise<NextSteps | undefined> {
	if (!firstPage?.startsWith('/myaccount')) return undefined
	if (firstPage !== CLOSURE) {
		const step = Object.hasOwn(NEXT, firstPage) ? NEXT[firstPage] : undefined
		return {
			steps: [step ?? 'We now make this change.'],
			follow: { href: REQUESTS, label: 'Your requests', words: 'say when it is done.' },
		}
	}
	const follow = { href: CLOSURE, label: CLOSURE_TITLE, words: 'shows how far it is.' }
	// The client may have withdrawn the request since, and an account may be closed. Without that call the steps are still true.
	const { data } = await loadSidePart(broker, listClosureTasks(broker))
	if (data && data.request?.status !== 'CLOSING') return { steps: [], follow }
	const { closes_on, transfer_to } = data?.request ?? {}
	const by = closes_on ? `by ${formatDay(closes_on)}` : 'within 3 working days'
	const steps = [`Your account closes ${by}.`]
	if (transfer_to) steps.push(`Your holdings move to ${transfer_to}.`)
	return { steps, files: true, follow: { href: CLOSURE, label: 'Withdraw the request', words: 'if you change your mind before that.' } }
}

const OTHERS: Readonly<Record<string, string>> = {
	[CLOSURE]: CLOSURE_TITLE,
	[REQUESTS]: 'your requests',
	[PROFILE]: 'Profile',
	'/dpprocess/ddpi': 'DDPI',
	'/dpprocess/pledge': 'Pledge',
	'/connect/mtf': 'MTF',
}

/** Returns the link back to the page where a signature began. */
export function describeBack(href: string): Place {
	const [path = ''] = href.split('?')
	const name = OTHERS[path] ?? CHANGES.find((change) => change.path === path)?.title ?? 'My Account'
	return { href, label: `Back to ${name}` }
}
