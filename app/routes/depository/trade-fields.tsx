import { type ComponentProps } from 'react'
import { DateField } from '~/components/date-field'
import { RadioField } from '~/components/form'

type FormField = ComponentProps<typeof DateField>['field']

type Props = {
	type: FormField
	day: FormField
	chosen: string
	date?: string
	/** The allowed days in words. */
	tradeDays?: string
}

/** Asks whether the shares will be sold or were sold, and when. The answer limits the units, so these fields stand above the table. */
export function TradeFields({ type, day, chosen, date, tradeDays }: Props) {
	return (
		<>
			<RadioField
				field={type}
				label="Trade type"
				defaultValue={chosen}
				options={[
					{ value: 'PRE', label: 'Pre', gloss: 'before a sale' },
					{ value: 'POST', label: 'Post', gloss: 'after a sale' },
				]}
			/>
			<div className="in-[form:has(input[value='PRE']:checked)]:hidden">
				<DateField field={day} label="Trade date" help={`The day of the sale${tradeDays ? `: ${tradeDays}` : ''}.`} defaultValue={date} />
			</div>
		</>
	)
}
