import { type ComponentProps } from 'react'
import { Box } from '~/components/box'
import { DateField } from '~/components/date-field'
import { RadioField, SubmitButton } from '~/components/form'
import { SelectionBar } from './selection-bar'

type FormField = ComponentProps<typeof DateField>['field']

type Props = {
	type: FormField
	day: FormField
	chosen: string
	date?: string
	/** The allowed days in words. */
	tradeDays?: string
	/** The number of securities that are selected, where it is known. */
	selected?: number
}

/** Whether the shares are still to be sold or were sold, and when; then the button. */
export function TradeFields({ type, day, chosen, date, tradeDays, selected }: Props) {
	return (
		<>
			<Box>
				<RadioField
					field={type}
					label="Trade type"
					defaultValue={chosen}
					options={[
						{ value: 'PRE', label: 'Pre', help: 'Before you sell' },
						{ value: 'POST', label: 'Post', help: 'Securities that you have already sold, today or on the previous trading day' },
					]}
				/>
				<div className="in-[form:has(input[value='PRE']:checked)]:hidden">
					<DateField field={day} label="Trade date" help={`The day of the sale${tradeDays ? `: ${tradeDays}` : ''}.`} defaultValue={date} />
				</div>
			</Box>
			<SelectionBar count={selected} word="selected">
				<SubmitButton>Verify</SubmitButton>
			</SelectionBar>
		</>
	)
}
