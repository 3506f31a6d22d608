import { type ClosureDetails, type ClosureTasks } from '#contract/closure'
import { unreadIn } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { formatMoment } from '#contract/values/moments'
import { formatBalance, formatRupees, type Paise } from '#contract/values/money'
import { type TaskLine } from '~/components/task-list'
import { fundsPath } from '~/lib/funds-path'
import { nameCode, orDash } from '~/lib/unknown'

/** The name of the form that withdraws a request. */
export const WITHDRAW = 'withdraw-closure'

/** SEBI: an online closure must not require a reason, so one choice gives none. */
export const REASONS = [
	'High charges',
	'Moving to another broker',
	'Not trading',
	'Service',
	'Employer rule',
	'Other',
	'I would rather not say',
] as const

/** Returns the assets and debts of the account, one per line. */
export function listFigures(details: ClosureDetails) {
	return [
		{ label: 'Holdings', figure: formatRupees(details.total_holdings), href: '/reports/holding' },
		{ label: 'Ledger balance', figure: orDash(details.ledger_balance, formatBalance), href: '/reports/ledger' },
		{ label: 'Virtual balance (accrued, not yet posted)', figure: orDash(details.virtual_balance, formatBalance) },
		{
			label: 'CDSL debit (depository dues not yet billed)',
			figure: orDash(details.cdsl_debit, (dues) => formatBalance(dues === 0 ? 0 : -dues)),
		},
		{ label: 'Total ledger balance', figure: orDash(details.total_ledger_balance, formatBalance), isTotal: true },
	]
}

type Words = Pick<TaskLine, 'label' | 'link' | 'isWait'>

/** Returns `5 securities, ₹ 1,24,921.30`; undefined when there are none or not all could be read. */
export function tellHoldings(holdings: ClosureTasks['holdings']): string | undefined {
	if (holdings.length === 0 || unreadIn(holdings)) return undefined
	const total = holdings.reduce((sum, { VALUE }) => sum + VALUE, 0)
	return `${holdings.length} ${holdings.length === 1 ? 'security' : 'securities'}, ${formatRupees(total)}`
}

const ADD_FUNDS = { href: '/funds', label: 'Add funds' }

/** Returns the link of a task; that of a debt fills in `total`, the paise of all ledgers, of which a debt is negative. */
function findLink(kind: string, total: Paise | null | undefined): Words['link'] {
	const { link } = TASKS[kind] ?? {}
	return link === ADD_FUNDS ? { ...link, href: fundsPath(-(total ?? 0)) } : link
}

/** The name of each task, and the page that does it. In the order of the steps: money is free only when all else is settled. */
const TASKS: Record<string, Words> = {
	DEBIT: { label: 'Pay what you owe', link: ADD_FUNDS },
	POSITIONS: { label: 'Close your open positions', link: { href: '/reports/position', label: 'See positions' } },
	UNSETTLED: { label: 'Let your trades settle', link: { href: '/reports/contractnbill', label: 'See bills' }, isWait: true },
	PLEDGED: { label: 'Release pledged and margin-funded shares', link: { href: '/dpprocess/pledge', label: 'See pledges' } },
	PLEDGE_REQUEST: {
		label: 'Confirm your pledge requests (unpledged MTF shares are sold)',
		link: { href: '/dpprocess/pledge', label: 'Confirm the pledge' },
	},
	MODIFICATION: { label: 'Sign or withdraw your open changes', link: { href: '/myaccount/requests', label: 'See requests' } },
	IPO_BID: { label: 'Let your IPO bids end', link: { href: '/connect/ipo/bids', label: 'See bids' }, isWait: true },
	MANDATE: { label: 'Cancel your mandates', link: { href: '/funds/e-mandate', label: 'See mandates' } },
	HOLDINGS: { label: 'Sell your holdings, or transfer them when you close', link: { href: '/reports/holding', label: 'See holdings' } },
	CREDIT: { label: 'Withdraw your money', link: { href: '/funds/withdraw', label: 'Withdraw funds' } },
	PAYOUT: { label: 'Let your withdrawal arrive', link: { href: '/funds/history?table=payouts', label: 'See withdrawals' }, isWait: true },
}

const ORDER = Object.keys(TASKS)

/** The place of a kind among the steps; unknown kinds are last. */
const findPlace = (kind: string | undefined) => (kind && ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length)

/**
 * What a blocker, which has no kind, is about. Only kinds whose page every broker has: a broker without tasks may have no list of
 * mandates or requests either.
 */
const SIGNS: readonly [kind: string, sign: RegExp][] = [
	['DEBIT', /\bowed?\b|\bdebit\b/i],
	['POSITIONS', /\bpositions?\b/i],
	['UNSETTLED', /\b(?:not |un)settled\b/i],
	['PLEDGED', /\bpledged\b|\bmargin-funded\b/i],
	['IPO_BID', /\bIPO\b|\bbids?\b/i],
	['HOLDINGS', /\b(?:securities|holdings?|shares)\b/i],
	['CREDIT', /\bledgers?\b|\bcredit\b/i],
]

/** Returns the kind of a blocker when its words fit only one. */
function guessKind(blocker: string): string | undefined {
	const [found, ...others] = SIGNS.filter(([, sign]) => sign.test(blocker))
	return others.length === 0 ? found?.[0] : undefined
}

const isAboutHoldings = (kind: string | undefined, { total_holdings }: ClosureDetails) =>
	kind === undefined ? total_holdings > 0 : kind === 'HOLDINGS'

/** Returns the task list: from the tasks of the broker, or from its blockers when it has no tasks. Undefined when it gave neither. */
export function listTasks(details: ClosureDetails | undefined, told: ClosureTasks | undefined): TaskLine[] | undefined {
	if (told) {
		return told.tasks
			.toSorted((a, b) => findPlace(a.kind) - findPlace(b.kind))
			.map(({ kind, is_done, words, amount }) => {
				const known = Object.hasOwn(TASKS, kind) ? TASKS[kind] : undefined
				const link = is_done || !known ? undefined : findLink(kind, amount)
				return { id: kind, isDone: is_done, words, label: known?.label ?? words, link, isWait: is_done ? undefined : known?.isWait }
			})
	}
	return details?.blockers
		.map((blocker) => ({ blocker, kind: guessKind(blocker) }))
		.toSorted((a, b) => findPlace(a.kind) - findPlace(b.kind))
		.map(({ blocker, kind }, index) => ({
			// Holdings are the only blocker that a transfer removes. Their value may be 0, and a broker may use words that we do not know.
			id: details.blockers.length === 1 && isAboutHoldings(kind, details) ? 'HOLDINGS' : String(index),
			isDone: false,
			words: '',
			label: blocker,
			link: kind ? findLink(kind, details.total_ledger_balance) : undefined,
			isWait: kind ? TASKS[kind]?.isWait : undefined,
		}))
}

/**
 * Adds to the task of the money what can be withdrawn now and what the other open tasks hold; when nothing can be, the task is one to wait
 * for. `amount` is what the task says is left.
 */
export function splitMoney(tasks: TaskLine[], amount: Paise | null | undefined, withdrawable: Paise | undefined): TaskLine[] {
	const hasOthers = tasks.some(({ id, isDone }) => id !== 'CREDIT' && !isDone)
	if (!hasOthers || typeof amount !== 'number' || withdrawable === undefined || withdrawable >= amount) return tasks
	const waits = formatRupees(amount - withdrawable)
	const split = withdrawable > 0 ? `${formatRupees(withdrawable)} can be withdrawn now, ${waits}` : 'All of it can be withdrawn'
	return tasks.map((task) =>
		task.id === 'CREDIT' && !task.isDone
			? { ...task, words: `${task.words}. ${split} only after the other steps.`, isWait: withdrawable <= 0 }
			: task,
	)
}

const STATUS = { WAITING: 'Waiting for your e-sign', CLOSING: 'Closing', CLOSED: 'Closed' } as const

/** Returns the current state of a request as lines of text. */
export function describeClosure({
	reference,
	status,
	clouser_for,
	transfer_to,
	asked_at,
	signed_at,
	closes_on,
}: NonNullable<ClosureTasks['request']>) {
	const lines = [
		{ label: 'Status', value: nameCode(STATUS, status) },
		{ label: 'Reference', value: reference },
		{ label: 'Close', value: clouser_for },
		{ label: 'Holdings', value: transfer_to ? `Transferred to ${transfer_to}` : 'None' },
		{ label: 'Asked for', value: formatMoment(asked_at) },
		...(signed_at ? [{ label: 'Signed', value: formatMoment(signed_at) }] : []),
		...(closes_on ? [{ label: status === 'CLOSED' ? 'Closed on' : 'Closes by', value: formatDay(closes_on) }] : []),
	]
	return { reference, status, lines }
}
