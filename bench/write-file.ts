import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { addDays } from '#contract/values/dates'
import { type LedgerDocument, openLedgerPdf, openLedgerXlsx } from '~/reports/ledger-document.server'
import { type LedgerLine } from '~/reports/ledger.server'

/* Writes a ledger of so many rows as a file, from rows in memory, as the portal writes it: `write-file.mjs pdf 10000 out.pdf`. */
const [format, count, out = ''] = process.argv.slice(2)

async function* listBatches(): AsyncGenerator<readonly LedgerLine[]> {
	let running = 0
	for (let from = 0; from < Number(count); from += 500) {
		yield Array.from({ length: 500 }, (_, at): LedgerLine => {
			const row = from + at
			const paise = 10_000 + ((row * 7919) % 5_000_000)
			const [debit, credit] = row % 2 === 0 ? [paise, 0] : [0, paise]
			running += credit - debit
			return {
				VOUCHER_DATE: addDays('2025-04-01', Math.floor(row / 40)),
				VOUCHER_NO: `V${100_000 + row}`,
				VOUCHER_TYPE: 'BILL',
				COCD: 'NSE_CASH',
				SETL_NO: `2025${1000 + Math.floor(row / 40)}`,
				BILL_NO: null,
				BALANCE: null,
				NARRATION: `Bill for trades, settlement ${row}, equity and charges`,
				DR_AMT: debit,
				CR_AMT: credit,
				running,
			}
		})
	}
}

const file: LedgerDocument = {
	brand: 'Khata',
	clientName: 'A CLIENT',
	clientCode: 'C1',
	query: { from: '2025-04-01', to: '2026-03-31', withMargin: false, withOpening: true },
	search: '',
	madeAt: new Date(),
}
const stream = await (format === 'pdf' ? openLedgerPdf : openLedgerXlsx)(file, listBatches())
await pipeline(Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(out))
