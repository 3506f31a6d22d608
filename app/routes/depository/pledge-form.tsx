import { type SubmissionResult } from '@conform-to/react'
import { type FormEvent, useState } from 'react'
import { DownloadLink } from '~/components/download-link'
import { ErrorSummary, RadioField, SubmitButton } from '~/components/form'
import { PostForm } from '~/components/post-form'
import { Unbroken } from '~/components/unbroken'
import { useLive } from '~/components/use-live'
import { tellNoMatch } from '~/lib/no-match'
import { parseUnits } from '~/lib/margin'
import { addTiers, FormTable, FormTableBar, markTooMany, QuantityCell, TOO_MUCH } from './form-table'
import { type PledgePage } from './pledge-page.server'
import { PledgeTotal, sumTyped, type PledgeTyped } from './pledge-total'
import { SelectionBar } from './selection-bar'

const PLEDGE = '/dpprocess/pledge'
/** The name, the free and the pledged units, then the typed quantity. On a phone the pledged units stand below the free ones. */
const SHOWN_FIRST = 3
/** Index of the margin among the sums after the label. */
const MARGIN = 3
const QUANTITY = { label: 'Quantity', align: 'right' } as const
/** The margin that all free units of a row would add. On a phone it stands below the name. */
const GIVES = { label: 'Gives', unit: '₹', align: 'right', from: 'tablet' } as const

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
					rows={rows.map(({ isin, cells: [name = '', free, pledged, ...cells], offer, canMove, hasPledged }, index) => ({
						id: isin,
						cells: [
							<>
								{name} <Below isin={isin} haircut={cells[0]} offer={offer} />
							</>,
							<Free key="free" units={free} pledged={hasPledged ? pledged : undefined} />,
							pledged,
							<QuantityCell
								key="quantity"
								field={markTooMany(fields[index] ?? { id: isin }, tooMany[isin])}
								of={name}
								max={canMove}
								isCounted
							/>,
							...addOffer(cells, offer),
						],
					}))}
					foot={[
						<Total key="total" foot={foot} offer={page.offer} />,
						...foot.slice(1, SHOWN_FIRST),
						'',
						...addOffer(foot.slice(SHOWN_FIRST), page.offer),
					]}
					empty={isEmpty ? NOTHING : { text: tellNoMatch(q), action: { href: PLEDGE, label: 'Show all' } }}
				/>
				{rows.length > 0 && <TotalAndReview page={page} typed={now ?? shown} isTooMuch={Object.keys(tooMany).length > 0} />}
			</PostForm>
		</>
	)
}

/**
 * Returns the heads with the field of the quantity. A tablet adds the pledged units, the haircut and what the free units give; a laptop
 * the figures of now. The kind, mostly the same in all rows, needs a very wide screen.
 */
const placeQuantity = (heads: PledgePage['heads']) => [
	...heads.slice(0, SHOWN_FIRST - 1),
	...addTiers(heads.slice(SHOWN_FIRST - 1, SHOWN_FIRST), 1),
	QUANTITY,
	...addTiers(heads.slice(SHOWN_FIRST, SHOWN_FIRST + 1), 1),
	GIVES,
	...heads.slice(SHOWN_FIRST + 1).map((head) => ({ ...head, from: head.label === 'Kind' ? ('wide' as const) : ('laptop' as const) })),
]

/** Puts what the free units give after the haircut, the first of the cells. */
const addOffer = ([haircut, ...cells]: readonly string[], offer: string | undefined) => [haircut, offer, ...cells]

/** The free units; on a phone also the pledged units, because their column is hidden. */
function Free({ units, pledged }: { units?: string; pledged?: string }) {
	return (
		<>
			{units} {pledged && <span className="text-muted block text-xs @2xl:hidden">{pledged} pledged</span>}
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

/** The line below a name. A phone has the haircut there, whose column it hides, and not the ISIN: the rows must be low. */
function Below({ isin, haircut, offer }: { isin: string; haircut?: string; offer?: string }) {
	return (
		<span className="text-muted block text-xs @max-2xl:leading-4">
			<span className="isin @max-2xl:hidden">{isin}</span>{' '}
			<span className="whitespace-nowrap @2xl:hidden">
				Haircut {haircut}
				{offer && ','}
			</span>{' '}
			{offer && <span className="whitespace-nowrap @2xl:hidden">gives ₹ {offer}</span>}
		</span>
	)
}

/** The label of the last line. A narrow table hides the columns of the margin and of what the free units give: their sums stand below. */
function Total({ foot: [label, ...sums], offer }: { foot: readonly string[]; offer?: string }) {
	const margin = sums[MARGIN]
	return (
		<>
			{label} {label && margin && <span className="block whitespace-nowrap @4xl:hidden">Margin ₹ {margin}</span>}{' '}
			{label && offer && (
				<span className="text-muted block text-xs font-normal @2xl:hidden">
					<Unbroken text={`All free shares give ₹ ${offer}`} />
				</span>
			)}
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
