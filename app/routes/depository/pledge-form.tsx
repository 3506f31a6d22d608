import { type SubmissionResult } from '@conform-to/react'
import { type FormEvent, useState } from 'react'
import { DownloadLink } from '~/components/download-link'
import { UNLESS_ALL } from '~/components/fitted-columns'
import { ErrorSummary, RadioField, SubmitButton } from '~/components/form'
import { PostForm } from '~/components/post-form'
import { useLive } from '~/components/use-live'
import { offerAll } from '~/lib/no-match'
import { parseUnits } from '~/lib/margin'
import { FormTable, FormTableBar, markTooMany, QuantityCell, TOO_MUCH } from './form-table'
import { type PledgePage } from './pledge-page.server'
import { PledgeTotal, readTyped, sumTyped, type PledgeTyped } from './pledge-total'
import { SelectionBar } from './selection-bar'

const PLEDGE = '/dpprocess/pledge'
/** Index of what the free units give, after the name, the free and the pledged units and the haircut. The typed quantity follows it. */
const GIVES = 4
const QUANTITY = { label: 'Quantity', align: 'right', isField: true } as const

const NOTHING = {
	text: 'Nothing in your demat account can be pledged.',
	action: { href: '/reports/holding', label: 'See your holding' },
}

type Props = {
	page: PledgePage
	/** The errors of the last post. */
	result?: SubmissionResult<string[]>
}

/** The typed values and the fields with their errors. `wrong` is about all rows, and has the id of the first field. */
function readFields({ page: { rows, asked }, result }: Props) {
	const given = (result?.initialValue ?? {}) as { action?: string; qty?: Record<string, unknown> }
	const toText = (sent: unknown) => (typeof sent === 'string' ? sent : '')
	const shown: PledgeTyped = result
		? { action: toText(given.action), units: Object.fromEntries(rows.map(({ isin }) => [isin, toText(given.qty?.[isin])])) }
		: asked
	const findErrors = (name: string) => result?.error?.[name] ?? undefined
	const fields = rows.map(({ isin }) => ({
		id: `pledge-${isin}`,
		name: `qty.${isin}`,
		errors: findErrors(`qty.${isin}`),
		defaultValue: readTyped(shown.units, isin),
	}))
	// A row without units has no field.
	const first = rows.find(({ canMove }) => canMove > 0)
	return { shown, fields, wrong: { id: first ? `pledge-${first.isin}` : 'pledge', errors: findErrors('qty') } }
}

/** What is wrong in the form, for the top of its page. */
export function PledgeErrors(props: Props) {
	const { fields, wrong } = readFields(props)
	return <ErrorSummary form={{ errors: props.result?.error?.[''] ?? undefined }} fields={[wrong, ...fields]} />
}

/** Puts the typed values into the page's address, for the back button: the next page replaces the form, and only its address is kept. */
function keepTyped({ currentTarget }: FormEvent<HTMLFormElement>) {
	const query = new URLSearchParams(location.search)
	for (const [name, value] of new FormData(currentTarget)) {
		if (name !== 'action' && !name.startsWith('qty.')) continue
		// The address may have the security with or without the prefix.
		for (const known of [name, name.replace('qty.', '')]) query.delete(known)
		if (value) query.set(name, String(value))
	}
	history.replaceState(history.state, '', `?${query}`)
}

/** The rows, each with a quantity. Above them is the choice between pledge and release, below them their sums and the button. */
export function PledgeForm({ page, result }: Props) {
	const { q, isEmpty, unread, rows, foot, areFewPledged } = page
	const { shown, fields, wrong } = readFields({ page, result })
	// With a script: the current values of the form.
	const [now, setNow] = useState<PledgeTyped>()

	function follow({ currentTarget }: FormEvent<HTMLFormElement>) {
		const form = new FormData(currentTarget)
		const units = Object.fromEntries(rows.map(({ isin }) => [isin, String(form.get(`qty.${isin}`) ?? '')]))
		setNow({ action: String(form.get('action')), units })
	}

	const tooMany = now ? findTooMany(rows, now) : {}
	return (
		<>
			<PostForm id="pledge" noValidate onInput={follow} onSubmit={keepTyped}>
				{!isEmpty && <AboveTable page={page} chosen={shown.action} />}
				<FormTable
					caption="Margin pledge"
					unread={unread}
					wrong={wrong}
					columns={placeQuantity(page)}
					nameAt={0}
					rows={rows.map(
						({ isin, free, pledged, canMove, cells: [name = '', freeCell, pledgedCell, haircut, offer, margin, ...cells] }, index) => ({
							id: isin,
							cells: [
								<>
									{name} <Below {...{ isin, free, pledged, areFewPledged }} />
								</>,
								freeCell,
								pledgedCell,
								haircut,
								<Gives key="gives" offer={offer} haircut={haircut} />,
								<QuantityCell
									key="quantity"
									field={markTooMany(fields[index] ?? { id: isin }, tooMany[isin])}
									of={name}
									max={canMove}
									isCounted
									wrong={wrong}
								/>,
								margin,
								...cells,
							],
						}),
					)}
					foot={[...foot.slice(0, GIVES + 1), '', ...foot.slice(GIVES + 1)]}
					empty={isEmpty ? NOTHING : offerAll(q, PLEDGE)}
				/>
				{rows.length > 0 && <TotalAndReview page={page} typed={now ?? shown} isTooMuch={Object.keys(tooMany).length > 0} />}
			</PostForm>
		</>
	)
}

/**
 * Returns the heads with what the free units give and the field of the quantity. A tablet adds the units and the haircut, which a phone
 * has as small text; a laptop the figures of now. The kind, mostly the same in all rows, needs a very wide screen, and so do the columns of
 * pledged units while most of their cells are empty: the few that are not stand below the names.
 */
const placeQuantity = ({ heads, areFewPledged }: PledgePage) => {
	const wide = areFewPledged ? ['Pledged', 'Margin', 'Kind'] : ['Kind']
	const place = <Head extends { label: string }>(head: Head, from: 'tablet' | 'laptop') => ({
		...head,
		from: wide.includes(head.label) ? ('wide' as const) : from,
	})
	return [
		...heads.slice(0, 1),
		...heads.slice(1, GIVES).map((head) => place(head, 'tablet')),
		...heads.slice(GIVES, GIVES + 1),
		QUANTITY,
		...heads.slice(GIVES + 1).map((head) => place(head, 'laptop')),
	]
}

/** What the free units give, or a dash; on a phone also the haircut, because its column is hidden. */
function Gives({ offer, haircut }: { offer?: string; haircut?: string }) {
	return (
		<>
			{offer} <span className={`text-muted block text-xs @max-2xl:leading-4 @2xl:hidden ${UNLESS_ALL}`}>haircut {haircut}</span>
		</>
	)
}

/** Returns the limit of each row whose typed quantity is above it. */
function findTooMany(rows: PledgePage['rows'], { action, units: typed }: PledgeTyped): Record<string, number> {
	const found: Record<string, number> = {}
	for (const { isin, limits } of rows) {
		const most = action === 'unpledge' ? limits.unpledge : limits.pledge
		if ((parseUnits(readTyped(typed, isin)) ?? 0) > most) found[isin] = most
	}
	return found
}

type BelowProps = Pick<PledgePage['rows'][number], 'isin' | 'free' | 'pledged'> & Pick<PledgePage, 'areFewPledged'>

/**
 * The lines below a name: the ISIN, or on a phone the units, whose columns it hides: `40 free, 5 pledged`. Where only the columns of
 * pledged units are hidden: `5 pledged: margin ₹ 425.00`.
 */
function Below({ isin, free, pledged, areFewPledged }: BelowProps) {
	return (
		<span className="text-muted block text-xs @max-2xl:leading-4">
			<span className="isin @max-2xl:hidden">{isin}</span>{' '}
			<span className="@2xl:block">
				<span className={`figure ${ON_PHONE}`}>{pledged ? `${free} free,` : `${free} free`}</span>
				{pledged && (
					<>
						{' '}
						<span className={`figure ${areFewPledged ? FOLDED : ON_PHONE}`}>
							{pledged.units} pledged
							{areFewPledged && <span className="@max-2xl:hidden">: margin {pledged.margin}</span>}
						</span>
					</>
				)}
			</span>
		</span>
	)
}

/** Shown only while the columns of all units are hidden. */
const ON_PHONE = `@2xl:hidden ${UNLESS_ALL}`

/** Shown only while the columns of pledged units are hidden. */
const FOLDED = `@min-[80rem]:hidden ${UNLESS_ALL}`

/** The choice between pledge and release, the search and the download. */
function AboveTable({ page, chosen }: { page: PledgePage; chosen: string }) {
	const { q, sorted, rows, files } = page
	return (
		<FormTableBar
			search={q}
			sorted={sorted}
			count={rows.length}
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
				label={count === 1 ? 'security' : 'securities'}
				none="No quantity entered"
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
