import { type SubmissionResult, useForm } from '@conform-to/react'
import { type FormEvent, useRef, useState } from 'react'
import { findLargestEntryAmount, type BidsTyped } from '#contract/values/ipo-bid'
import { formatRupees } from '#contract/values/money'
import { ABOVE_BAR, ActionBar } from '~/components/action-bar'
import { ErrorSummary, Field, SelectField, SubmitButton } from '~/components/form'
import { KeyFigures } from '~/components/key-figures'
import { PostForm } from '~/components/post-form'
import { useRowFocus } from '~/components/use-row-focus'
import { labelChoice, type Used } from './category-label'
import { BidRow, type BidRules } from './ipo-bid-row'

type Category = { code: string; label: string; discount: number; used?: Used }

export type BidFormProps = {
	action: string
	result?: SubmissionResult<string[]>
	/** The values typed or reviewed earlier, or the default values. */
	start: BidsTyped
	categories: readonly Category[]
	/** The rules for choosing a category. */
	categoryHelp?: string
	demats: readonly { id: string; label: string }[]
	rules: Omit<BidRules, 'allowsCutOff'> & { allowsCutOff: boolean; maxBids: number; cutOffPrice: number }
	/** The amount, as text, up to which a UPI ID is required. */
	onlineLimit: string
	/** Until when the client must accept the mandate. */
	mandateNote?: string
}

type Computed = { amount: string; lots: readonly string[] }

/** Computes the totals of the form from what is typed. The server computes them again and trusts none of these. */
function compute(typed: BidsTyped, { rules, categories }: Pick<BidFormProps, 'rules' | 'categories'>): Computed {
	const numbers = (typed.bids ?? []).map((bid) => ({
		quantity: Number(bid?.quantity) || 0,
		price: bid?.cut_off ? rules.cutOffPrice : Number(bid?.price) || 0,
	}))
	const discount = categories.find(({ code }) => code === typed.category)?.discount ?? 0
	const lots = numbers.map(({ quantity }) => {
		const count = quantity / rules.lot
		return Number.isInteger(count) && count > 0 ? `${count} ${count === 1 ? 'lot' : 'lots'}` : ''
	})
	return {
		amount: formatRupees(
			findLargestEntryAmount(
				numbers.filter(({ quantity, price }) => quantity > 0 && price > 0),
				discount,
			),
		),
		lots,
	}
}

function typedIn(form: HTMLFormElement, count: number): BidsTyped {
	const fields = new FormData(form)
	const readText = (name: string) => fields.get(name)?.toString()
	const bids = Array.from({ length: count }, (_, at) => ({
		quantity: readText(`bids[${at}].quantity`),
		price: readText(`bids[${at}].price`),
		cut_off: readText(`bids[${at}].cut_off`),
	}))
	return { category: readText('category'), bids }
}

const ALTERNATIVES = 'Your bids are alternatives: the highest of them is blocked, and one of them counts.'

/** The bid form: up to three bids; the highest amount is blocked. */
export function BidForm(props: BidFormProps) {
	const { action, result, start, rules } = props
	const [form, fields] = useForm<BidsTyped>({ id: 'bid', lastResult: result as SubmissionResult<string[]>, defaultValue: start })
	const rows = fields.bids.getFieldList()
	const add = useRef<HTMLButtonElement>(null)
	useRowFocus(add, form.id, rows.length)
	const shown = rows.flatMap((row) => {
		const { quantity, price, cut_off } = row.getFieldset()
		return [quantity, price, cut_off]
	})
	const [typed, setTyped] = useState<BidsTyped>()
	const { amount, lots } = compute(typed ?? (form.initialValue as BidsTyped | undefined) ?? start, props)
	const onInput = ({ currentTarget }: FormEvent<HTMLFormElement>) => setTyped(typedIn(currentTarget, rows.length))
	return (
		<>
			<ErrorSummary
				form={form}
				fields={[fields.category, { id: form.id, errors: fields.bids.errors }, ...shown, fields.upi_id, fields.BOId]}
			/>
			<PostForm id={form.id} action={action} noValidate onInput={onInput} className={ABOVE_BAR}>
				{/* The Enter key presses the first button of a form, which must not remove a bid. */}
				<button type="submit" className="sr-only" tabIndex={-1} aria-hidden="true">
					Review bid
				</button>{' '}
				{/* The category decides the prices of a bid, and the bids are what a client decides. The rest is filled in already. */}
				<Category fields={fields} {...props} />
				{rows.map((row, at) => (
					<BidRow
						key={row.key ?? row.name}
						form={form}
						field={row}
						list={fields.bids.name}
						at={at}
						isOnly={rows.length === 1}
						rules={rules}
						lots={lots[at]}
					/>
				))}
				{rows.length < rules.maxBids && (
					<div className="-mt-3 mb-5">
						<button {...form.insert.getButtonProps({ name: fields.bids.name, defaultValue: {} })} ref={add} className="btn">
							Add bid
						</button>
					</div>
				)}
				<BidderFields fields={fields} {...props} />
				{rows.length > 1 && <p className="text-muted mb-3 text-xs">{ALTERNATIVES}</p>}
				{/* From 1024 px the facts beside the form say this. */}
				{props.mandateNote && <p className="text-muted mb-3 text-xs lg:hidden">{props.mandateNote}</p>}
				<ActionBar>
					<KeyFigures figures={[{ label: 'Amount to block', text: amount, isMain: true, form: form.id }]} />
					<SubmitButton>Review bid</SubmitButton>
				</ActionBar>
			</PostForm>
		</>
	)
}

type BidderProps = Pick<BidFormProps, 'categories' | 'categoryHelp' | 'demats' | 'onlineLimit'> & {
	fields: ReturnType<typeof useForm<BidsTyped>>[1]
}

function Category({ fields, categories, categoryHelp }: Pick<BidderProps, 'fields' | 'categories' | 'categoryHelp'>) {
	return (
		<SelectField
			field={fields.category}
			label="Category"
			help={categoryHelp}
			width={24}
			options={[
				{ value: '', label: 'Select a category' },
				...categories.map((each) => ({ value: each.code, label: labelChoice(categories, each) })),
			]}
		/>
	)
}

/** Where the money is blocked, and where the shares go. They stand beside each other where there is room. */
function BidderFields({ fields, demats, onlineLimit }: Pick<BidderProps, 'fields' | 'demats' | 'onlineLimit'>) {
	return (
		<div className="border-line grid gap-x-6 border-t pt-4 xl:grid-cols-2">
			<Field
				field={fields.upi_id}
				label="UPI ID"
				help={`Use a UPI ID of your own bank account. Not needed above ${onlineLimit}.`}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				inputMode="email"
				maxLength={97}
			/>
			<SelectField
				field={fields.BOId}
				label="BO ID"
				help="Receives the shares"
				width={24}
				options={demats.map(({ id, label }) => ({ value: id, label }))}
			/>
		</div>
	)
}
