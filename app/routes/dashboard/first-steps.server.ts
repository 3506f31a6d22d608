import { type Dashboard, type DashboardLedger, type HoldingTotal } from '#contract/dashboard'
import { unreadIn } from '#contract/tolerant'
import { type Broker } from '~/broker/client.server'
import { listChangeRequests } from '~/broker/modifications.server'
import { findPersonalDetails } from '~/broker/profile.server'
import { type TaskLine } from '~/components/task-list'
import { loadSidePart, type PartialData } from '~/http/partial-data.server'
import { isUnsigned } from '~/lib/ddpi'

type Figures = {
	ledgers: readonly PartialData<DashboardLedger>[]
	holding: PartialData<HoldingTotal | null>
	all: PartialData<Dashboard | null>
}

const isNothing = (paise: number | null | undefined) => (paise ?? 0) === 0

/** True when everything could be read and every figure is zero or missing. */
function hasNothing({ ledgers, holding, all }: Figures): boolean {
	if ([...ledgers, holding, all].some(({ data, failure }) => failure || (data && unreadIn(data)))) return false
	const { realised_pnl, unrealised_pnl, charges, dividend, history = [] } = all.data ?? {}
	return (
		ledgers.every(({ data = [] }) => data.every(({ DUE_AMT }) => isNothing(DUE_AMT))) &&
		isNothing(holding.data?.total_amount) &&
		[realised_pnl, unrealised_pnl, charges, dividend].every(isNothing) &&
		history.every(({ value, invested }) => isNothing(value) && isNothing(invested))
	)
}

/**
 * True when the client has signed who the nominees are, or that there is none: then the profile has no nominee either. Undefined when the
 * broker does not tell.
 */
async function hasDeclared(broker: Broker): Promise<boolean | undefined> {
	const { data } = await loadSidePart(broker, listChangeRequests(broker))
	return data?.some(({ kind, status }) => kind === 'NOMINEE' && status === 'DONE')
}

/**
 * Returns the first steps of a client who holds nothing, has no money and has never traded; undefined for every other client, and when
 * the broker does not answer.
 */
export async function listFirstSteps(broker: Broker, figures: Figures): Promise<TaskLine[] | undefined> {
	if (!hasNothing(figures)) return undefined
	const profile = await findPersonalDetails(broker)
	if (!profile || profile.personal_details.last_trade_date !== null) return undefined
	const declared = profile.nominees.length > 0 || (await hasDeclared(broker))
	const hasNominee = declared === true
	const { ddpi_status } = profile.dp_details
	const hasDdpi = !isUnsigned(ddpi_status)
	// The list of what needs attention has the link to its e-sign.
	const isDdpiBegun = ddpi_status === 'PENDING'
	return [
		{
			id: 'money',
			label: 'Add money',
			isDone: false,
			words: 'By UPI or net banking, from a bank account of yours.',
			link: { href: '/funds', label: 'Add funds', isMain: true },
		},
		{
			id: 'nominee',
			label: 'Nominee',
			isDone: hasNominee,
			words: `Say who receives your shares and money after your death, ${declared === undefined ? 'unless you have declared' : 'or declare'} that you want no nominee.`,
			link: hasNominee ? undefined : { href: '/myaccount/nominee', label: 'Name a nominee' },
		},
		{
			id: 'ddpi',
			label: 'Sign the DDPI',
			isDone: hasDdpi,
			isOptional: true,
			words: isDdpiBegun ? 'Your request is not complete yet.' : 'Then sold shares are delivered without an OTP for each sale.',
			link: hasDdpi ? undefined : { href: '/dpprocess/ddpi', label: isDdpiBegun ? 'See the request' : 'Sign' },
		},
	]
}
