import { type SubmissionResult } from '@conform-to/react'
import { useLocation } from '@remix-run/react'
import { Fragment, type ReactNode } from 'react'
import { formatRupees } from '#contract/values/money'
import { Banner } from '~/components/banner'
import { DownloadLink } from '~/components/download-link'
import { UNLESS_ALL } from '~/components/fitted-columns'
import { ErrorSummary, SubmitButton } from '~/components/form'
import { Note } from '~/components/note'
import { PostForm } from '~/components/post-form'
import { Unbroken } from '~/components/unbroken'
import { offerAll } from '~/lib/no-match'
import { type EdisPage } from './edis-page.server'
import { addTiers, FormTable, CORRECT, FormTableBar, mark, QuantityCell } from './form-table'
import { SelectBox } from './select-box'
import { SelectionBar } from './selection-bar'
import { TradeFields } from './trade-fields'
import { useSelected } from './use-selected'

const VERIFY = '/dpprocess'

/** The name and the free units, then the typed quantity. */
const SHOWN_FIRST = 2
/** Held and verified units, added on a tablet. */
const ADDED = 2
const STARTS_AT = 'Quantity starts at all free shares: change it to what you sell.'
const SELECT = { label: 'Select', isHidden: true }
const QUANTITY = { label: 'Quantity', align: 'right', isField: true } as const

type Props = {
	page: EdisPage
	/** The reply of the broker or of the form to the last post. */
	result?: SubmissionResult<string[]>
}

const toText = (sent: unknown) => (typeof sent === 'string' ? sent : '')

/** The typed values and the fields with their errors. `select` stands for all boxes, and has the id of the first. */
function readFields({ page: { rows, filled }, result }: Props) {
	const given = (result?.initialValue ?? filled) as { isin?: unknown; qty?: Record<string, unknown>; [name: string]: unknown }
	const findErrors = (name: string) => result?.error?.[name] ?? undefined
	const first = rows.find(({ free }) => free > 0)
	return {
		given,
		fields: rows.map(({ isin }) => ({
			id: `verify-${isin}`,
			name: `qty.${isin}`,
			errors: findErrors(`qty.${isin}`),
			defaultValue: toText(given.qty?.[isin]),
		})),
		select: { id: first ? `select-${first.isin}` : 'verify', errors: findErrors('isin') },
		type: { id: 'trade-type', name: 'trade_type', errors: findErrors('trade_type') },
		day: { id: 'post-trade-date', name: 'post_trade_date', errors: findErrors('post_trade_date') },
	}
}

/** What is wrong in the form, for the top of its page. */
export function HoldingsErrors(props: Props) {
	const { fields, select, type, day } = readFields(props)
	return <ErrorSummary form={{ errors: props.result?.error?.[''] ?? undefined }} fields={[type, day, select, ...fields]} />
}

/** The rows to select, each with a quantity. Above them is the type of trade, below them the button. */
export function HoldingsForm({ page, result }: Props) {
	const { q, isEmpty, canVerify, heads, unread, rows, foot, tableNote, lastTradeDay, tradeDays } = page
	const { search } = useLocation()
	const { given, fields, select, type, day } = readFields({ page, result })
	const chosen = [given.isin ?? []].flat()
	const { selected, tooMany, onInput } = useSelected(rows, chosen, (isin) => toText(given.qty?.[isin]))
	// Without rows the heads start above the text of the empty table.
	const columnsBefore = rows.length > 0 ? [{ ...SELECT, link: canVerify ? <SelectAll /> : undefined }] : []
	return (
		<>
			<PostForm id="verify" action={VERIFY + search} noValidate onInput={onInput}>
				{!isEmpty && (
					<AboveTable page={page}>
						<TradeFields
							type={type}
							day={day}
							chosen={toText(given.trade_type) || 'PRE'}
							date={result ? toText(given.post_trade_date) : toText(given.post_trade_date) || lastTradeDay}
							tradeDays={tradeDays}
						/>
					</AboveTable>
				)}
				<FormTable
					caption="Holdings"
					unread={unread}
					wrong={select}
					columns={[...columnsBefore, ...heads.slice(0, SHOWN_FIRST), QUANTITY, ...addTiers(heads.slice(SHOWN_FIRST), ADDED)]}
					nameAt={columnsBefore.length}
					rows={rows.map(({ isin, free, sold, notFree, cells: [name = '', ...cells] }, index) => ({
						id: isin,
						cells: [
							free > 0 && <SelectBox key="select" isin={isin} name={name} isChosen={chosen.includes(isin)} wrong={select} />,
							<>
								{name} <span className="isin text-muted block text-xs">{isin}</span>
								{notFree && <span className="text-muted block text-xs"> {notFree}</span>}
								{sold && page.sold.length > 0 && <span className="text-warning block text-xs"> {sold} sold: verify them above</span>}
								{sold && page.sold.length === 0 && (
									<span className={`text-muted block text-xs @4xl:hidden ${UNLESS_ALL}`}> Sold {sold}</span>
								)}
							</>,
							...cells.slice(0, SHOWN_FIRST - 1),
							<QuantityCell key="quantity" field={mark(fields[index] ?? { id: isin }, tooMany[isin])} of={name} max={free} />,
							...cells.slice(SHOWN_FIRST - 1),
						],
					}))}
					foot={['', <Total key="total" foot={foot} />, ...foot.slice(1, SHOWN_FIRST), '', ...foot.slice(SHOWN_FIRST)]}
					empty={
						isEmpty
							? {
									text: 'Nothing in your demat account can be verified.',
									action: { href: '/reports/holding', label: 'See your holding' },
								}
							: offerAll(q, VERIFY)
					}
				/>
				{canVerify && <Note>{tableNote}</Note>}
				{canVerify && <VerifyBar selected={selected} isTooMuch={Object.keys(tooMany).length > 0} />}
			</PostForm>
		</>
	)
}

/** Above the check boxes, and as wide as they are. The words are text, not an attribute, for text browsers. */
function SelectAll() {
	return (
		<a href={`${VERIFY}?select=all`} className="block! text-center underline! decoration-dotted after:hidden!">
			<span className="sr-only">Select </span>
			<span className="capitalize">all</span>
			<span className="sr-only"> free</span>
		</a>
	)
}

/** The label of the last line. A narrow table hides the column of the value, so its sum stands below the label, over the empty cells after it. */
function Total({ foot }: { foot: readonly string[] }) {
	const value = foot.at(-1)
	return (
		<>
			{foot[0]} {value && <span className={`block w-0 whitespace-nowrap @4xl:hidden ${UNLESS_ALL}`}>Value ₹ {value}</span>}
		</>
	)
}

type BarProps = Pick<ReturnType<typeof useSelected>, 'selected'> & { isTooMuch: boolean }

function VerifyBar({ selected, isTooMuch }: BarProps) {
	return (
		<SelectionBar
			isLive={selected !== undefined}
			count={selected?.count ?? 0}
			label="selected"
			isOff={isTooMuch}
			hint={isTooMuch ? CORRECT : selected?.count ? `${formatRupees(selected.value)} at the last close` : 'Tick what you sell'}
		>
			<SubmitButton isOff={isTooMuch}>Verify</SubmitButton>
		</SelectionBar>
	)
}

function AboveTable({ page, children }: { page: EdisPage; children: ReactNode }) {
	const { q, sorted, heads, rows, canVerify, files, isTooMany, maxSecurities } = page
	return (
		<>
			<FormTableBar
				search={q}
				sorted={sorted}
				count={rows.length}
				last={heads.some(({ from }) => from === 'never') ? 'never' : 'laptop'}
				files={<DownloadLink href={files.holdings} label="CSV of holdings" type="DEMAT" flag="CSV" />}
			>
				{canVerify && children}
			</FormTableBar>
			{canVerify && (
				<p className="text-muted mb-3 text-xs">
					{STARTS_AT}
					{isTooMany && ` At most ${maxSecurities} at a time.`}
				</p>
			)}
		</>
	)
}

/**
 * What the client sold and can still verify. The button sends what the form would send for these units, and nothing else. The link only
 * fills in the form.
 */
export function Sold({ sold }: Pick<EdisPage, 'sold'>) {
	return sold.map(({ words, each, note, href, lines, day }) => (
		<Banner
			key={href}
			kind="warning"
			action={
				<>
					{lines.length > 0 && (
						<PostForm action={VERIFY}>
							<input type="hidden" name="trade_type" value="POST" />
							<input type="hidden" name="post_trade_date" value={day} />
							{lines.map(({ isin, qty }) => (
								<Fragment key={isin}>
									<input type="hidden" name="isin" value={isin} />
									<input type="hidden" name={`qty.${isin}`} value={qty} />
								</Fragment>
							))}
							<SubmitButton>
								<span>
									Send OTP<span className="sr-only"> for the sales of {day}</span>
								</span>
							</SubmitButton>
						</PostForm>
					)}{' '}
					<a href={href} className={lines.length > 0 ? 'inline-block py-2' : 'btn'}>
						{lines.length > 0 ? 'Tick them in the table' : 'Tick as many as one OTP allows'}
						<span className="sr-only">: sold on {day}</span>
					</a>
				</>
			}
		>
			<p className="font-semibold">
				<Unbroken text={words} />
			</p>
			{each && (
				<p className="text-sm">
					<Unbroken text={each} />
				</p>
			)}
			<p className="text-sm">
				<Unbroken text={note} />
			</p>
		</Banner>
	))
}
