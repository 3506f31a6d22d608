import { type SubmissionResult } from '@conform-to/react'
import { type FormEvent, useState } from 'react'
import { DownloadLink } from '~/components/download-link'
import { UNLESS_ALL } from '~/components/fitted-columns'
import { ErrorSummary, RadioField, SubmitButton } from '~/components/form'
import { PostForm } from '~/components/post-form'
import { useLive } from '~/components/use-live'
import { offerAll } from '~/lib/no-match'
import { parseUnits } from '~/lib/margin'
import { CORRECT, FormTable, FormTableBar, keepInSight, mark, QuantityCell, tellMost } from './form-table'
import { type PledgePage } from './pledge-page.server'
import { PledgeTotal, readTyped, sumTyped, type PledgeTyped } from './pledge-total'
import { SelectionBar } from './selection-bar'

const PLEDGE = '/dpprocess/pledge'
/** Indexes of the columns of the page; the last stands for the typed quantity, which is none of them. */
const [NAME, FREE, PLEDGED, HAIRCUT, GIVES, MARGIN, CLOSE, VALUE, KIND, QTY] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
const PLEDGING = [NAME, FREE, PLEDGED, HAIRCUT, GIVES, QTY, MARGIN, CLOSE, VALUE, KIND]
/** Only what is pledged matters for a release, and what it takes from the margin. */
const RELEASE = [NAME, PLEDGED, HAIRCUT, MARGIN, QTY, CLOSE, KIND]
const [TABLET, LAPTOP, WIDE] = ['tablet', 'laptop', 'wide'] as const
const QUANTITY = { label: 'Quantity', align: 'right', isField: true } as const

const NOTHING = {
	text: 'Nothing in your demat account can be pledged.',
	action: { href: '/reports/holding', label: 'See your holding' },
}
const NO_PLEDGE = { text: 'None of your securities is pledged.' }

type Props = {
	page: PledgePage
	/** The errors of the last post. */
	result?: SubmissionResult<string[]>
}

/** Returns the rows of a request: for a release only what is pledged, and what was posted, which may have an error. */
const listShown = (rows: PledgePage['rows'], action: string, posted: PledgeTyped) =>
	action === 'unpledge'
		? rows.filter(({ isin, pledged }) => pledged || (posted.action === action && readTyped(posted.units, isin) !== ''))
		: rows

/** The values of the last post or of the address, and the errors. `wrong` is about all rows, and has the id of the first field. */
function readFields({ page: { rows, asked }, result }: Props) {
	const given = (result?.initialValue ?? {}) as { action?: string; qty?: Record<string, unknown> }
	const toText = (sent: unknown) => (typeof sent === 'string' ? sent : '')
	const shown: PledgeTyped = result
		? { action: toText(given.action), units: Object.fromEntries(rows.map(({ isin }) => [isin, toText(given.qty?.[isin])])) }
		: asked
	const findErrors = (name: string) => result?.error?.[name] ?? undefined
	const describe = (isin: string) => ({ id: `pledge-${isin}`, name: `qty.${isin}`, errors: findErrors(`qty.${isin}`) })
	// A row without units has no field.
	const first = listShown(rows, shown.action, shown).find(({ canMove }) => canMove > 0)
	return { shown, describe, wrong: { id: first ? `pledge-${first.isin}` : 'pledge', errors: findErrors('qty') } }
}

/** What is wrong in the form, for the top of its page. */
export function PledgeErrors(props: Props) {
	const { describe, wrong } = readFields(props)
	const fields = props.page.rows.map(({ isin }) => describe(isin))
	return <ErrorSummary form={{ errors: props.result?.error?.[''] ?? undefined }} fields={[wrong, ...fields]} />
}

/** Puts the typed values into the page's address, for the back button: the next page replaces the form, and only its address is kept. */
function keepTyped(form: HTMLFormElement, rows: PledgePage['rows']) {
	const query = new URLSearchParams(location.search)
	// The address may have a security with or without the prefix. What the other request hides does not belong to this one.
	for (const { isin } of rows) for (const name of [isin, `qty.${isin}`]) query.delete(name)
	for (const [name, value] of new FormData(form)) {
		if ((name === 'action' || name.startsWith('qty.')) && value) query.set(name, String(value))
	}
	history.replaceState(history.state, '', `?${query}`)
}

/**
 * The rows, each with a quantity. Above them is the choice between pledge and release, below them their sums and the button. Without
 * scripts the choice shows its rows after the next post (`Apply`, `Update total`); until then every row that is shown takes either.
 */
export function PledgeForm({ page, result }: Props) {
	const { isEmpty, unread, rows, areFewPledged } = page
	const { shown, describe, wrong } = readFields({ page, result })
	// With a script: the current values of the form. Each request has its own.
	const [now, setNow] = useState<{ action: string; units: Record<string, PledgeTyped['units']> }>()
	const action = now?.action ?? shown.action
	const typed = { action, units: (now ? now.units[action] : shown.units) ?? {} }
	const isRelease = action === 'unpledge'
	const shownRows = listShown(rows, action, shown)

	function follow({ currentTarget, target }: FormEvent<HTMLFormElement>) {
		keepInSight(target)
		const form = new FormData(currentTarget)
		const units = now?.units ?? { [shown.action]: shown.units }
		const isSwitch = target instanceof HTMLInputElement && target.name === 'action'
		const read = Object.fromEntries(shownRows.map(({ isin }) => [isin, String(form.get(`qty.${isin}`) ?? '')]))
		setNow({ action: String(form.get('action')), units: isSwitch ? units : { ...units, [action]: read } })
	}

	const wrongUnits = now ? findWrong(shownRows, typed) : {}
	const pick = <Cell, Field>(cells: readonly Cell[], quantity: Field): (Cell | Field)[] =>
		// The broker may not say the last one, the kind.
		(isRelease ? RELEASE : PLEDGING).flatMap((at): (Cell | Field)[] => (at === QTY ? [quantity] : cells.slice(at, at + 1)))
	return (
		<PostForm id="pledge" noValidate onInput={follow} onSubmit={({ currentTarget }) => keepTyped(currentTarget, rows)}>
			{!isEmpty && <AboveTable page={page} chosen={shown.action} count={shownRows.length} />}
			<FormTable
				caption="Margin pledge"
				unread={unread}
				wrong={action === shown.action ? wrong : undefined}
				columns={pick(isRelease ? placeRelease(page) : placePledge(page), QUANTITY)}
				nameAt={0}
				rows={shownRows.map(({ isin, canMove, cells, ...row }) => ({
					id: isin,
					cells: pick(
						cells.map((cell, at) =>
							at === NAME ? (
								<Security key={at} {...row} {...{ isin, isRelease, areFewPledged }} name={cell} />
							) : at === (isRelease ? MARGIN : GIVES) ? (
								<Gives key={at} margin={cell} haircut={cells[HAIRCUT]} />
							) : (
								cell
							),
						),
						<QuantityCell
							field={mark({ ...describe(isin), defaultValue: readTyped(typed.units, isin) }, wrongUnits[isin])}
							of={cells[NAME] ?? ''}
							max={canMove}
							isCounted
							wrong={wrong}
						/>,
					),
				}))}
				foot={pick(page.foot, '')}
				empty={describeEmpty(page, isRelease)}
			/>
			{shownRows.length > 0 && <TotalAndReview page={page} typed={typed} isOff={Object.keys(wrongUnits).length > 0} />}
		</PostForm>
	)
}

/** What the table says without rows. */
function describeEmpty({ isEmpty, q }: PledgePage, isRelease: boolean) {
	if (isEmpty) return NOTHING
	if (!isRelease) return offerAll(q, PLEDGE)
	return q ? { ...offerAll(q, PLEDGE), text: `Nothing that matches “${q}” is pledged.` } : NO_PLEDGE
}

/**
 * The heads of a pledge. A tablet adds the units and the haircut, which a phone has as small text; a laptop the figures of now. The kind,
 * mostly the same in all rows, needs a very wide screen, and so do the columns of pledged units while most of their cells are empty: the
 * few that are not stand below the names.
 */
function placePledge({ heads, areFewPledged }: PledgePage) {
	const wide = areFewPledged ? [PLEDGED, MARGIN, KIND] : [KIND]
	return heads.map((head, at) =>
		at === NAME || at === GIVES ? head : { ...head, from: wide.includes(at) ? WIDE : at < GIVES ? TABLET : LAPTOP },
	)
}

/** The heads of a release. The margin of what is pledged is what releasing all of it takes. */
const placeRelease = ({ heads }: PledgePage) =>
	heads.map((head, at) =>
		at === NAME ? head : at === MARGIN ? { ...head, label: 'Releases' } : { ...head, from: at < GIVES ? TABLET : LAPTOP },
	)

/** The margin that the units give or take, or a dash; on a phone also the haircut, because its column is hidden. */
function Gives({ margin, haircut }: { margin: string; haircut?: string }) {
	return (
		<>
			{margin} <span className={`text-muted block text-xs @max-2xl:leading-4 @2xl:hidden ${UNLESS_ALL}`}>haircut {haircut}</span>
		</>
	)
}

/** Returns what is wrong with the typed quantity of each row. */
function findWrong(rows: PledgePage['rows'], { action, units: typed }: PledgeTyped): Record<string, string> {
	const found: Record<string, string> = {}
	for (const { isin, limits } of rows) {
		const text = readTyped(typed, isin).trim()
		const most = action === 'unpledge' ? limits.unpledge : limits.pledge
		const units = parseUnits(text)
		if (text && units === undefined) found[isin] = 'Whole units'
		else if (units !== undefined && units > most) found[isin] = tellMost(most)
	}
	return found
}

type SecurityProps = { name: string } & Pick<PledgePage['rows'][number], 'isin' | 'free' | 'pledged'> &
	Pick<PledgePage, 'areFewPledged'> & { isRelease: boolean }

/**
 * The name, and below it the ISIN, or on a phone the units, whose columns it hides: `40 free, 5 pledged`; for a release `5 pledged`. Where
 * only the columns of pledged units are hidden: `5 pledged: margin ₹ 425.00`.
 */
function Security({ name, isin, free, pledged, areFewPledged, isRelease }: SecurityProps) {
	const isFolded = areFewPledged && !isRelease
	return (
		<>
			{name}{' '}
			<span className="text-muted block text-xs @max-2xl:leading-4">
				<span className="isin @max-2xl:hidden">{isin}</span>{' '}
				<span className="@2xl:block">
					{!isRelease && <span className={`figure ${ON_PHONE}`}>{pledged ? `${free} free,` : `${free} free`}</span>}
					{!isRelease && pledged && ' '}
					{pledged && (
						<span className={`figure ${isFolded ? FOLDED : ON_PHONE}`}>
							{pledged.units} pledged
							{isFolded && <span className="@max-2xl:hidden">: margin {pledged.margin}</span>}
						</span>
					)}
				</span>
			</span>
		</>
	)
}

/** Shown only while the columns of all units are hidden. */
const ON_PHONE = `@2xl:hidden ${UNLESS_ALL}`

/** Shown only while the columns of pledged units are hidden. */
const FOLDED = `@min-[80rem]:hidden ${UNLESS_ALL}`

/** The choice between pledge and release, the search and the download. */
function AboveTable({ page: { q, sorted, files }, chosen, count }: { page: PledgePage; chosen: string; count: number }) {
	return (
		<FormTableBar
			search={q}
			sorted={sorted}
			count={count}
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

function TotalAndReview({ page, typed, isOff }: { page: PledgePage; typed: PledgeTyped; isOff: boolean }) {
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
				isOff={isOff}
				hint={isOff ? CORRECT : count ? '' : `Type how many to ${isLive ? typed.action : 'pledge or unpledge'}`}
				sums={count > 0 && <PledgeTotal rows={figures} margin={margin} fee={terms?.fee} {...typed} />}
			>
				<SubmitButton isOff={isOff}>Review</SubmitButton>{' '}
				{!isLive && (
					<SubmitButton kind="plain" name="intent" value="total">
						Update total
					</SubmitButton>
				)}
			</SelectionBar>
		</>
	)
}
