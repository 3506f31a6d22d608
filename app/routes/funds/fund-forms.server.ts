import { z } from 'zod/v4'
import { type LedgerCocd } from '#contract/common'
import { type DashboardLedger } from '#contract/dashboard'
import { type FundLimits, UpiId } from '#contract/funds'
import { unreadIn } from '#contract/tolerant'
import { type Day, formatDay } from '#contract/values/dates'
import { formatBalance, formatRupees } from '#contract/values/money'
import { SEGMENT_BY_LEDGER, SEGMENT_NAMES } from '#contract/values/segments'
import { type Broker } from '~/broker/client.server'
import { getFundLimits } from '~/broker/funds.server'
import { AmountTyped } from '~/forms/typed-fields.server'
import { loadSidePart } from '~/http/partial-data.server'
import { fundsPath } from '~/lib/funds-path'
import { nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { findDue } from '~/reports/balances.server'
import { tellUnread } from '~/reports/unread.server'

/** Returns when unused money is paid back automatically; undefined when the broker did not say. */
export function describeSettlement(settlesOn: Day | null | undefined): string | undefined {
	if (!settlesOn) return undefined
	return `On ${formatDay(settlesOn)} we return unused money to your bank and keep at most 225\u00a0% of the margin your open trades need (running account settlement).`
}

/**
 * Returns the balance of all ledgers; the balance of each ledger that the broker states when one is missing, with a dash for one that
 * could not be read.
 */
export function listLedgerBalances(data: DashboardLedger) {
	const unread = unreadIn(data)
	const sum = unread ? null : sumOrNull(data.map(({ DUE_AMT }) => DUE_AMT))
	const codes = [...new Set(data.map(({ COCD }) => COCD))]
	const each = codes.map((cocd) => ({ label: nameCode(SEGMENT_NAMES, cocd), text: orDash(findDue(data, cocd), formatBalance) }))
	const note = each.length > 1 ? each.map(({ label, text }) => `${label} ${text}`).join(', ') : undefined
	const all = { label: 'Your ledger balance', text: orDash(sum, formatBalance), note, isMain: true }
	const alone = each.map(({ label, text }) => ({ label: `${label} ledger balance`, text }))
	return { figures: data.length === 0 ? [] : sum === null ? alone : [all], unread: tellUnread(unread) }
}

/**
 * Returns what the client owes as the first amount to add, for the ledger of the segment in the address, or else the first that owes, when
 * its balance is known. One press fills in the form. Nothing is offered that the limits forbid.
 */
export function offerDebt(
	balances: DashboardLedger | undefined,
	cocds: readonly LedgerCocd[],
	{ segment, limits }: { segment: string | null; limits: FundLimits | undefined },
) {
	if (!balances || unreadIn(balances)) return undefined
	const owing = cocds.filter((cocd) => (findDue(balances, cocd) ?? 0) < 0)
	const cocd = owing.find((each) => SEGMENT_BY_LEDGER[each] === segment) ?? owing[0]
	if (!cocd) return undefined
	const owed = -(findDue(balances, cocd) ?? 0)
	if (limits && (owed < limits.payin_min || owed > limits.payin_max)) return undefined
	const what = owing.length > 1 ? `Owed on ${SEGMENT_NAMES[cocd]}` : 'All you owe'
	return { segment: SEGMENT_BY_LEDGER[cocd], link: { label: `${what}: ${formatRupees(owed)}`, href: fundsPath(owed, cocd) } }
}

/** Returns amounts that most clients add, within the limits. One click fills in the field. */
export function suggestAmounts(limits: FundLimits | undefined) {
	return [5_000_00, 10_000_00, 25_000_00, 50_000_00]
		.filter((paise) => !limits || (paise >= limits.payin_min && paise <= limits.upi_max))
		.map((paise) => ({ label: wholeRupees(paise), value: String(paise / 100) }))
}

/** Returns an amount in paise as rupees without `.00`: `₹ 1,00,000`. */
export function wholeRupees(paise: number): string {
	return formatRupees(paise).replace(/\.00$/, '')
}

/** The largest amounts of each form. */
const MOST = { payin: ['payin_max', 'upi_max'], mandate: ['mandate_max', 'mandate_aadhaar_max'] } as const

/**
 * Returns the broker's limits for a form. Undefined when the broker does not state them, or writes 0 for an amount that has no limit: then
 * only the broker enforces them.
 */
export async function findFundLimits(broker: Broker, form: keyof typeof MOST): Promise<FundLimits | undefined> {
	const { data } = await loadSidePart(broker, getFundLimits(broker))
	return data && MOST[form].every((key) => data[key] > 0) ? data : undefined
}

/** Returns the schema of the pay-in form. It checks the limits before the broker refuses. */
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
			// Also checked when another field is wrong, so that all errors are shown at once. Net banking ignores the field.
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

/** Returns the schema of the mandate form: three channels of the bank, or a paper form. */
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
