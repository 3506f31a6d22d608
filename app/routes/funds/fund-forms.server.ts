import { z } from 'zod/v4'
import { type FundLimits, UpiId } from '#contract/funds'
import { type Day, formatDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { type Broker } from '~/broker/client.server'
import { getFundLimits } from '~/broker/funds.server'
import { AmountTyped } from '~/forms/form.server'
import { loadSidePart } from '~/http/partial-data.server'

/** When unused money goes back unasked; undefined where the broker has not told. */
export function accountWords(settlesOn: Day | null | undefined): string | undefined {
	if (!settlesOn) return undefined
	return `Running account settlement: on ${formatDay(settlesOn)} what your obligations and 225 % of your margin do not need goes back to your bank account by itself.`
}

/** `₹ 1,00,000`: a limit has no paise worth reading. */
export function wholeRupees(paise: number): string {
	return formatRupees(paise).replace(/\.00$/, '')
}

/** The broker's limits; undefined where it does not say them, and then it alone keeps to them. */
export async function findFundLimits(broker: Broker, reference: string): Promise<FundLimits | undefined> {
	return (await loadSidePart(getFundLimits(broker), reference)).data
}

/** The pay-in form; limits are said before the broker has to. */
export function payinForm(limits: FundLimits | undefined) {
	return (
		z
			.object({
				amount: AmountTyped,
				segment: z.enum(['BSE', 'MCX'], 'Select a segment'),
				bank: z.string('Select the bank you will pay from'),
				mode: z.enum(['upi', 'netbanking'], 'Select how you will pay'),
				upi_id: z.string().trim().optional(),
			})
			// Also when another field is wrong: all there is to mend is said at once. What stands in the field is not read for net banking.
			.refine(({ mode, upi_id }) => mode !== 'upi' || upi_id, { path: ['upi_id'], error: 'Enter your UPI ID', when: () => true })
			.refine(({ mode, upi_id }) => mode !== 'upi' || !upi_id || UpiId.safeParse(upi_id).success, {
				path: ['upi_id'],
				error: 'Enter a UPI ID in the correct format, like name@bank',
				when: () => true,
			})
			.superRefine(({ amount, mode }, context) => {
				if (!limits) return
				const say = (message: string) => context.addIssue({ code: 'custom', path: ['amount'], message })
				if (amount < limits.payin_min) say(`Amount must be ${wholeRupees(limits.payin_min)} or more`)
				else if (amount > limits.payin_max) say(`Amount must be ${wholeRupees(limits.payin_max)} or less`)
				else if (mode === 'upi' && amount > limits.upi_max)
					say(`UPI payments can be up to ${wholeRupees(limits.upi_max)}. Use net banking for more`)
			})
	)
}

/** The mandate form: three channels of the bank's, or a form on paper. */
export function mandateForm(limits: FundLimits | undefined) {
	return z
		.object({
			amount: z.string('Enter the maximum amount').pipe(AmountTyped),
			bank: z.string('Select a bank account'),
			channel: z.enum(['netbanking', 'debitcard', 'aadhaar', 'physical'], 'Select how you will confirm it'),
		})
		.superRefine(({ amount, channel }, context) => {
			if (!limits) return
			const most = channel === 'aadhaar' ? limits.mandate_aadhaar_max : limits.mandate_max
			const say = (message: string) => context.addIssue({ code: 'custom', path: ['amount'], message })
			if (amount < limits.mandate_min) say(`Amount must be ${wholeRupees(limits.mandate_min)} or more`)
			if (amount > most) say(`Amount must be ${wholeRupees(most)} or less${channel === 'aadhaar' ? ' with Aadhaar' : ''}`)
		})
}
