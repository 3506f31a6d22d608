import { formatDay } from '#contract/values/dates'
import { formatRupees, type Paise } from '#contract/values/money'
import { type SheetTable } from '#documents/table'
import { type Client } from '#sandbox/clients/clients'
import { streamTablePdf } from '#sandbox/files/table-pdf'
import { CATEGORIES } from '#sandbox/rules/ipo'
import { type SandboxParts } from '#sandbox/types'
import { type CheckedApplication, demats } from './check-bid'
import { sayRupees } from './say-rupees'
import { createApplicationNumber } from './submit'

/** The bid-cum-application form for the client's bank, filled in as far as possible. No bid is placed and no mandate is sent. */
export async function streamBidForm(parts: SandboxParts, client: Client, checked: CheckedApplication): Promise<ReadableStream<Uint8Array>> {
	const { number } = await createApplicationNumber(parts.books.db, parts.clock.now())
	const { issue, category, boId, bids, amount } = checked
	const demat = demats(client).find(({ id }) => id === boId)
	const table = (name: string, rows: readonly (readonly [string, string])[]): SheetTable => ({
		name,
		columns: [
			{ head: 'Particular', width: 34 },
			{ head: 'Detail', width: 96 },
		],
		rows: rows.map(([label, value]) => ({ cells: [label, value] })),
	})
	const options: SheetTable = {
		name: 'Bid options',
		columns: [
			{ head: 'Option', width: 16 },
			{ head: 'Quantity', width: 24, isFigure: true },
			{ head: 'Price a share', width: 28, isFigure: true },
			{ head: 'Cut-off', width: 20 },
			{ head: 'Amount', width: 42, isFigure: true },
		],
		rows: bids.map(({ quantity, price, cutOff, amount }, at) => ({
			cells: [String(at + 1), { number: quantity, decimals: 0 }, { paise: price }, cutOff ? 'Yes' : 'No', { paise: amount }],
		})),
	}
	const { name, symbol, exchange, open_date, close_date } = issue
	const bidding = `${formatDay(open_date)} to ${formatDay(close_date)}`
	return streamTablePdf({
		brokerName: parts.settings.brokerName,
		title: `IPO bid form of ${client.code}, ${symbol}`,
		heading: 'IPO bid form',
		facts: [
			['Applicant', client.name],
			// In full, because the bank and the registrar need it.
			['PAN', client.profile.personal_details.pan],
			['Client code', client.code],
			['Application', number],
			['Bidding', bidding],
		],
		runningHead: [`${parts.settings.brokerName} · IPO bid form of ${client.name} (${client.code})`, number],
		tables: [
			table('Application', [
				['Application number', number],
				['Issue', `${name} (${symbol}, ${exchange})`],
				['Category', CATEGORIES[category].label],
				['Depository', demat?.dp ?? ''],
				['DP and client ID', boId],
			]),
			options,
			table('Payment through the bank (ASBA)', [
				['Amount to block', formatRupees(amount)],
				['In words', sayAmount(amount)],
			]),
		],
		closing: [
			`Nothing has been placed yet. Give the signed form to a branch of your bank (a self-certified syndicate bank) before bidding ends at ${CATEGORIES[category].bidsUntil} on ${formatDay(close_date)}; the bank blocks the amount and places the bid.`,
		],
		toSign: ['Bank and branch', 'Account number', 'Signature of the account holder'],
		madeAt: parts.clock.now(),
	})
}

function sayAmount(amount: Paise): string {
	return `${sayRupees(amount)} only`
}
