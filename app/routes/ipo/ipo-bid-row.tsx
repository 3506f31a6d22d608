import { type FieldMetadata, type FormMetadata } from '@conform-to/react'
import { type WheelEvent } from 'react'
import { type BidsTyped, type BidTyped } from '#contract/values/ipo-bid'
import { FieldGroup } from '~/components/box'
import { CheckboxField, Field, LINK } from '~/components/form'

/** The rules of a bid, prices in rupees. */
export type BidRules = { lot: number; minQuantity: number; minPrice: number; maxPrice: number; tick: number; allowsCutOff: boolean }

type Props = {
	form: FormMetadata<BidsTyped, string[]>
	field: FieldMetadata<BidTyped | undefined, BidsTyped, string[]>
	list: string
	at: number
	isOnly: boolean
	rules: BidRules
	/** The number of lots typed, such as `2 lots`, when it is a whole number. */
	lots?: string
}

const grouped = new Intl.NumberFormat('en-IN')

/** Otherwise the wheel over a focused number changes it. */
const leave = ({ currentTarget }: WheelEvent<HTMLInputElement>) => currentTarget.blur()

/** One bid: quantity and price. */
export function BidRow({ form, field, list, at, isOnly, rules, lots }: Props) {
	const { quantity, price, cut_off } = field.getFieldset()
	const { lot, minQuantity, minPrice, maxPrice, tick, allowsCutOff } = rules
	const number = at + 1
	return (
		<FieldGroup legend={`Bid ${number}`}>
			<div className="grid grid-cols-2 gap-x-4 [&>:nth-child(3)]:col-span-2 sm:flex sm:flex-wrap sm:gap-x-6 sm:[&>:nth-child(3)]:mt-6 sm:[&>:nth-child(3)]:flex-[1_1_10rem]">
				<Field
					field={quantity}
					label="Quantity"
					help={lots ? `Shares, ${lots} of ${grouped.format(lot)}` : `Shares, in lots of ${grouped.format(lot)}`}
					type="number"
					inputMode="numeric"
					min={minQuantity}
					step={lot}
					autoComplete="off"
					onWheel={leave}
					width={8}
					required
				/>
				<Field
					field={price}
					label="Price"
					help={`₹ ${grouped.format(minPrice)} to ₹ ${grouped.format(maxPrice)} a share`}
					type="number"
					inputMode="decimal"
					min={minPrice}
					max={maxPrice}
					step={tick}
					autoComplete="off"
					onWheel={leave}
					isRupees
					width={8}
				/>
				{allowsCutOff && (
					<CheckboxField
						field={cut_off}
						label="Cut-off price"
						help={`You pay the final issue price, at most ₹ ${grouped.format(maxPrice)}; not for high net worth`}
						defaultChecked={cut_off.initialValue === 'on'}
					/>
				)}
			</div>
			{!isOnly && (
				<div className="flex flex-wrap gap-x-5 gap-y-2">
					<button {...form.remove.getButtonProps({ name: list, index: at })} className={LINK}>
						Remove bid {number}
					</button>
				</div>
			)}
		</FieldGroup>
	)
}
