import { type LedgerCocd } from '#contract/common'
import { type Day, MONTHS } from '#contract/values/dates'
import { findFinancialYear } from '#contract/values/financial-year'
import { type Paise } from '#contract/values/money'
import { findSettlementDay, formatSettlement } from '#sandbox/rules/calendar'
import {
	findDpCharge,
	findMaintenanceCharge,
	findPledgeCharge,
	type Fee,
	MTF_INTEREST_PERCENT,
	DELAYED_PAYMENT_PERCENT,
} from '#sandbox/rules/fees'
import { type AccountSettlement } from '#sandbox/rules/payout-account'
import { type Journal, postVoucher, type VoucherRow } from './voucher'

/*
 * One function for each kind of ledger entry of a client that is not a bill, with its narration. The portal's dictionary recognises
 * narrations by their first words, so add new narrations there too.
 */

/** The client, the ledger and the day of an entry. */
export interface LedgerPlace {
	client: string
	cocd: LedgerCocd
	day: Day
}

/** `OCT-2026`, as narrations write a month. */
export function nameMonth(day: Day): string {
	return `${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''}-${day.slice(0, 4)}`
}

/**
 * Money from the client's bank, paise > 0: `PAY-IN UPI UTR 431955018842`. The mode is UPI, NETBANKING or NEFT. It reduces a debt at
 * once; it can be withdrawn from `settles_on` on.
 */
export function postPayIn(journal: Journal, place: LedgerPlace, amount: Paise, mode: string, utr: string, settles_on?: Day): VoucherRow {
	const { client, cocd, day } = place
	return postVoucher(journal, {
		day,
		type: 'RECEIPT',
		narration: `PAY-IN ${mode} UTR ${utr}`,
		sides: [
			{ account: 'CLIENT', client, cocd, amount },
			{ account: 'HOUSE_BANK', amount: -amount },
		],
		settles_on,
	})
}

/** Money to the client's bank, paise > 0: `PAY-OUT CLIENT REQUEST UTR …`, or for a settlement `PAY-OUT QUARTERLY` (or `MONTHLY`)
 * `SETTLEMENT OF ACCOUNTS UTR …`. */
export function postPayOut(
	journal: Journal,
	place: LedgerPlace,
	amount: Paise,
	reason: 'CLIENT REQUEST' | AccountSettlement,
	utr: string,
): VoucherRow {
	const { client, cocd, day } = place
	return postVoucher(journal, {
		day,
		type: 'PAYMENT',
		narration: `PAY-OUT ${reason} UTR ${utr}`,
		sides: [
			{ account: 'CLIENT', client, cocd, amount: -amount },
			{ account: 'HOUSE_BANK', amount },
		],
	})
}

function postFee(journal: Journal, place: LedgerPlace, { fee, gst, total }: Fee, narration: string): VoucherRow {
	const { client, cocd, day } = place
	return postVoucher(journal, {
		day,
		type: 'JOURNAL',
		narration,
		sides: [
			{ account: 'CLIENT', client, cocd, amount: -total },
			{ account: 'DEPOSITORY', amount: fee },
			{ account: 'GST', amount: gst },
		],
	})
}

/** The depository charge for one ISIN sold: `DP CHARGES INFY SALE`. It is posted on the settlement day, never on the note. */
export function postDpCharge(journal: Journal, place: LedgerPlace, symbol: string, isWoman: boolean): VoucherRow {
	return postFee(journal, place, findDpCharge(isWoman), `DP CHARGES ${symbol} SALE`)
}

/** `PLEDGE CHARGES INFY` or `UNPLEDGE CHARGES INFY`, per ISIN and request. */
export function postPledgeCharge(journal: Journal, place: LedgerPlace, symbol: string, isRelease: boolean): VoucherRow {
	return postFee(journal, place, findPledgeCharge(), `${isRelease ? 'UNPLEDGE' : 'PLEDGE'} CHARGES ${symbol}`)
}

/** Yearly maintenance of the demat account: `DP AMC 2024-25 INCL GST`. */
export function postMaintenanceCharge(journal: Journal, place: LedgerPlace): VoucherRow {
	const year = findFinancialYear(place.day)
	return postFee(journal, place, findMaintenanceCharge(), `DP AMC ${year}-${String(year + 1).slice(2)} INCL GST`)
}

/** A month's interest on money lent for shares, paise > 0: `MTF INTEREST OCT-2026 14.99 %`. `month` is any day of the month. */
export function postMtfInterest(journal: Journal, place: LedgerPlace, amount: Paise, month: Day): VoucherRow {
	return postInterest(journal, place, amount, `MTF INTEREST ${nameMonth(month)} ${MTF_INTEREST_PERCENT} %`)
}

/** A month's interest on a debit balance, paise > 0: `DELAYED PAYMENT CHARGES OCT-2026 18 %`. `month` is any day of the month. */
export function postDelayedPaymentInterest(journal: Journal, place: LedgerPlace, amount: Paise, month: Day): VoucherRow {
	return postInterest(journal, place, amount, `DELAYED PAYMENT CHARGES ${nameMonth(month)} ${DELAYED_PAYMENT_PERCENT} %`)
}

function postInterest(journal: Journal, { client, cocd, day }: LedgerPlace, amount: Paise, narration: string): VoucherRow {
	return postVoucher(journal, {
		day,
		type: 'JOURNAL',
		narration,
		sides: [
			{ account: 'CLIENT', client, cocd, amount: -amount },
			{ account: 'INTEREST', amount },
		],
	})
}

/**
 * Lends (paise > 0, `MTF FUNDING SBIN`) or takes back (paise < 0, `MTF REPAYMENT SBIN`) the funded part of a margin purchase. The loan pays
 * for the purchase of that day and is taken back from the sale of that day, so it settles with that bill.
 */
export function postFunding(journal: Journal, place: LedgerPlace, amount: Paise, symbol: string): VoucherRow {
	const { client, cocd, day } = place
	return postVoucher(journal, {
		day,
		type: 'JOURNAL',
		narration: `MTF ${amount > 0 ? 'FUNDING' : 'REPAYMENT'} ${symbol}`,
		settlement_no: formatSettlement('NSE_CASH', day),
		settles_on: findSettlementDay(day, 'NSE_CASH'),
		sides: [
			{ account: 'CLIENT', client, cocd, amount },
			{ account: 'MTF', client, cocd, amount: -amount },
		],
	})
}

/**
 * Blocks (paise > 0, `MARGIN BLOCKED NSE FNO`) or releases (paise < 0, `MARGIN RELEASED NSE FNO`) cash margin. Both sides are marked as
 * margin, so that a ledger without margin shows neither.
 */
export function postMargin(journal: Journal, { client, cocd, day }: LedgerPlace, amount: Paise): VoucherRow {
	return postVoucher(journal, {
		day,
		type: 'JOURNAL',
		narration: `MARGIN ${amount > 0 ? 'BLOCKED' : 'RELEASED'} ${cocd === 'MCX' ? 'MCX' : 'NSE FNO'}`,
		sides: [
			{ account: 'CLIENT', client, cocd, amount: -amount, is_margin: true },
			{ account: 'MARGIN', client, cocd, amount, is_margin: true },
		],
	})
}

/** Moves a client's money between ledgers, paise > 0: `INTER SEGMENT TRANSFER NSE_CASH TO MCX`. It is not a cash flow. */
export function postTransfer(journal: Journal, { client, cocd, day }: LedgerPlace, into: LedgerCocd, amount: Paise): VoucherRow {
	return postVoucher(journal, {
		day,
		type: 'JOURNAL',
		narration: `INTER SEGMENT TRANSFER ${cocd} TO ${into}`,
		sides: [
			{ account: 'CLIENT', client, cocd, amount: -amount },
			{ account: 'CLIENT', client, cocd: into, amount },
		],
	})
}

/**
 * Records the money that an IPO bid blocks in the client's own bank, paise > 0: `IPO BLOCK NOVATEC`; a release is paise < 0: `IPO
 * RELEASE NOVATEC`. The money does not leave the bank, so the ledger does not change.
 */
export function postIpoBlock(journal: Journal, { client, cocd, day }: LedgerPlace, amount: Paise, symbol: string): VoucherRow {
	return postVoucher(journal, {
		day,
		type: 'JOURNAL',
		narration: `IPO ${amount > 0 ? 'BLOCK' : 'RELEASE'} ${symbol}`,
		sides: [
			{ account: 'OWN_BANK', client, cocd, amount: -amount },
			{ account: 'ASBA', client, cocd, amount },
		],
	})
}

/** The part of the blocked amount that the issuer gets on allotment, paise > 0: `IPO ALLOTMENT NOVATEC`. */
export function postIpoDebit(journal: Journal, { client, cocd, day }: LedgerPlace, amount: Paise, symbol: string): VoucherRow {
	return postVoucher(journal, {
		day,
		type: 'JOURNAL',
		narration: `IPO ALLOTMENT ${symbol}`,
		sides: [
			{ account: 'ASBA', client, cocd, amount: -amount },
			{ account: 'ISSUER', amount },
		],
	})
}

/**
 * A company's payment into the client's own bank: the gross amount and the tax deducted for the client, in paise. `DIVIDEND
 * INE009A01021`. It is never in the ledger; it is recorded as the source of the tax return's figures.
 */
export function postBankReceipt(
	journal: Journal,
	{ client, cocd, day }: LedgerPlace,
	{ what, instrument, gross, tds }: { what: 'DIVIDEND' | 'BUYBACK'; instrument: string; gross: Paise; tds: Paise },
): VoucherRow {
	return postVoucher(journal, {
		day,
		type: 'JOURNAL',
		narration: `${what} ${instrument}`,
		sides: [
			{ account: 'ISSUER', amount: -gross },
			{ account: 'TDS', client, cocd, amount: tds },
			{ account: 'OWN_BANK', client, cocd, amount: gross - tds },
		],
	})
}
