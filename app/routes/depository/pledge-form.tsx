import { type SubmissionResult } from '@conform-to/react'
import { type FormEvent, useState } from 'react'
import { DownloadLink } from '~/components/download-link'
import { ErrorSummary, RadioField, SubmitButton } from '~/components/form'
import { PostForm } from '~/components/post-form'
import { useLive } from '~/components/use-live'
import { tellNoMatch } from '~/lib/no-match'
import { parseUnits } from '~/lib/margin'
import { addTiers, FormTable, FormTableBar, markTooMany, QuantityCell, TOO_MUCH } from './form-table'
import { type PledgePage } from './pledge-page.server'
import { PledgeTotal, sumTyped, type PledgeTyped } from './pledge-total'
import { SelectionBar } from './selection-bar'

const PLEDGE = '/dpprocess/pledge'
/** The name, the free and the pledged units and the haircut. Then come what the free units give and the typed quantity. */
const SHOWN_FIRST = 4
/** Index of the margin among the sums after the label. */
const MARGIN = 3
const QUANTITY = { label: 'Quantity', align: 'right' } as const
/** The margin that all free units of a row would add. */
const GIVES = { label: 'Gives', unit: '₹', align: 'right' } as const

const NOTHING = {
	text: 'Nothing in your demat account can be pledged.',
	action: { href: '/reports/holding', label: 'See your holding' },
}

type Props = {
	page: PledgePage
	/** The errors of the last post. */
	result?: SubmissionResult<string[]>
}

/** The rows, each with a quantity. Above them is the choice between pledge and release, below them their sums and the button. */
export function PledgeForm({ page, result }: Props) {
	const { q, isEmpty, heads, unread, rows, foot, asked } = page
	const given = (result?.initialValue ?? {}) as { action?: string; qty?: Record<string, unknown> }
	const toText = (sent: unknown) => (typeof sent === 'string' ? sent : '')
	const shown: PledgeTyped = result
		? { action: toText(given.action), typed: Object.fromEntries(rows.map(({ isin }) => [isin, toText(given.qty?.[isin])])) }
		: asked
	// With a script: the current values of the form.
	const [now, setNow] = useState<PledgeTyped>()
	const findErrors = (name: string) => result?.error?.[name] ?? undefined
	const fields = rows.map(({ isin }) => ({
		id: `pledge-${isin}`,
		name: `qty.${isin}`,
		errors: findErrors(`qty.${isin}`),
		defaultValue: shown.typed[isin] ?? '',
	}))

	function follow({ currentTarget }: FormEvent<HTMLFormElement>) {
		const form = new FormData(currentTarget)
		const typed = Object.fromEntries(rows.map(({ isin }) => [isin, String(form.get(`qty.${isin}`) ?? '')]))
		setNow({ action: String(form.get('action')), typed })
	}

	const tooMany = now ? findTooMany(rows, now) : {}
	return (
		<>
			<ErrorSummary form={{ errors: findErrors('') }} fields={fields} />
			<PostForm id="pledge" noValidate onInput={follow}>
				{!isEmpty && <AboveTable page={page} chosen={shown.action} />}
				<FormTable
					caption="Margin pledge"
					unread={unread}
					columns={placeQuantity(heads)}
					nameAt={0}
					rows={rows.map(({ isin, cells: [name = '', free = '', pledged = '', haircut, ...cells], offer, canMove }, index) => ({
						id: isin,
						cells: [
							<>
								{name} <Below isin={isin} units={tellUnits(free, pledged)} />
							</>,
							free,
							pledged,
							haircut,
							<Gives key="gives" offer={offer} haircut={haircut} />,
							<QuantityCell
								key="quantity"
								field={markTooMany(fields[index] ?? { id: isin }, tooMany[isin])}
								of={name}
								max={canMove}
								isCounted
							/>,
							...cells,
						],
					}))}
					foot={[<Total key="total" foot={foot} />, ...foot.slice(1, SHOWN_FIRST), page.offer, '', ...foot.slice(SHOWN_FIRST)]}
					empty={isEmpty ? NOTHING : { text: tellNoMatch(q), action: { href: PLEDGE, label: 'Show all' } }}
				/>
				{rows.length > 0 && <TotalAndReview page={page} typed={now ?? shown} isTooMuch={Object.keys(tooMany).length > 0} />}
			</PostForm>
		</>
	)
}

/**
 * Returns the heads with what the free units give and the field of the quantity. A tablet adds the units and the haircut, which a phone
 * has as small text; a laptop the figures of now. The kind, mostly the same in all rows, needs a very wide screen.
 */
const placeQuantity = (heads: PledgePage['heads']) => [
	...heads.slice(0, 1),
	...addTiers(heads.slice(1, SHOWN_FIRST), SHOWN_FIRST - 1),
	GIVES,
	QUANTITY,
	...heads.slice(SHOWN_FIRST).map((head) => ({ ...head, from: head.label === 'Kind' ? ('wide' as const) : ('laptop' as const) })),
]

/** Returns the units of a row in words: `40 free, 60 pledged`. */
const tellUnits = (free: string, pledged: string) => [`${free} free`, ...(pledged ? [`${pledged} pledged`] : [])].join(', ')

/** What the free units give, or a dash; on a phone also the haircut, because its column is hidden. */
function Gives({ offer = '—', haircut }: { offer?: string; haircut?: string }) {
	return (
		<>
			{offer} <span className="text-muted block text-xs @max-2xl:leading-4 @2xl:hidden">haircut {haircut}</span>
		</>
	)
}

/** Returns the limit of each row whose typed quantity is above it. */
function findTooMany(rows: PledgePage['rows'], { action, typed }: PledgeTyped): Record<string, number> {
	const found: Record<string, number> = {}
	for (const { isin, limits } of rows) {
		const most = action === 'unpledge' ? limits.unpledge : limits.pledge
		if ((parseUnits(typed[isin] ?? '') ?? 0) > most) found[isin] = most
	}
	return found
}

/** The line below a name: the ISIN, or on a phone the units, whose columns it hides. */
function Below({ isin, units }: { isin: string; units: string }) {
	return (
		<span className="text-muted block text-xs @max-2xl:leading-4">
			<span className="isin @max-2xl:hidden">{isin}</span> <span className="figure @2xl:hidden">{units}</span>
		</span>
	)
}

/** The label of the last line. A narrow table hides the column of the margin, so its sum stands below the label. */
function Total({ foot: [label, ...sums] }: { foot: readonly string[] }) {
	const margin = sums[MARGIN]
	return (
		<>
			{label} {label && margin && <span className="block whitespace-nowrap @4xl:hidden">Margin ₹ {margin}</span>}
		</>
	)
}

/** The choice between pledge and release, the search and the download. */
function AboveTable({ page, chosen }: { page: PledgePage; chosen: string }) {
	const { q, sorted, rows, files } = page
	return (
		<FormTableBar
			search={q}
			sorted={sorted}
			hasRows={rows.length > 0}
			last="wide"
			files={<DownloadLink href={files.holdings} label="CSV of holdings" type="MARGIN PLEDGE" flag="CSV" />}
		>
			<RadioField
				field={{ id: 'action', name: 'action' }}
				label="Request"
				defaultValue={chosen}
				options={[
					{ value: 'pledge', label: 'Pledge' },
					{ value: 'unpledge', label: 'Unpledge' },
				]}
			/>
		</FormTableBar>
	)
}

function TotalAndReview({ page, typed, isTooMuch }: { page: PledgePage; typed: PledgeTyped; isTooMuch: boolean }) {
	const { figures, margin, terms } = page
	const isLive = useLive()
	const { count } = sumTyped(figures, typed)
	return (
		<>
			{/* Not the bar itself: it sticks to the edge of the screen, so an address cannot scroll to it. */}
			<div id="total" />
			<SelectionBar
				isLive={isLive}
				count={count}
				label="filled in"
				isOff={isTooMuch}
				hint={isTooMuch ? TOO_MUCH : count ? '' : `Type how many to ${isLive ? typed.action : 'pledge or unpledge'}`}
				sums={count > 0 && <PledgeTotal rows={figures} margin={margin} fee={terms?.fee} {...typed} />}
			>
				<SubmitButton isOff={isTooMuch}>Review</SubmitButton>{' '}
				{!isLive && (
					<SubmitButton kind="plain" name="intent" value="total">
						Update total
					</SubmitButton>
				)}
			</SelectionBar>
		</>
	)
}
