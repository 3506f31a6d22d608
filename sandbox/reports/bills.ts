import { Hono } from 'hono'
import { z } from 'zod/v4'
import { ContractBillFileRequest, ContractBills, ContractBillsRequest, ContractNote } from '#contract/bills'
import { toIndianDay } from '#contract/values/dates'
import { findFinancialYear } from '#contract/values/financial-year'
import { toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, invalidField, NO_DATA, parseBody, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { findMarkLine, findNote, listNotes, type NoteHead, readNoteCharges } from '#sandbox/book/read-notes'
import { toPrice, countUnits } from '#sandbox/book/read-scrips'
import { readNoteTrades } from '#sandbox/book/read-trades'
import { PDF_TYPE } from '#sandbox/files/ledger-file'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { sumBy } from './grouped'
import { type ResponseCache } from './response-cache'
import { streamNote } from './note-pdf'
import { fileHeaders, requireClient } from './statements'
import { noteTradeRow } from './trade-rows'

const BillQuery = Source.extend({ bill: z.string().regex(/^[A-Z]{2}\d{8}$/) })

function formatPath(client: string, { day, segment, billNo }: Pick<NoteHead, 'day' | 'segment' | 'billNo'>): string {
	return `contracts/${findFinancialYear(day)}/${segment}/${client}_${billNo}.pdf`
}

/** Throws 403 for a body that names another client than the session's. */
export function requireOwn(client: string, asked: string | undefined): void {
	if (asked !== undefined && asked !== client) throw new Refused(403, 'Client code does not match the session')
}

/** Contract notes: the list, one with its lines, and its PDF. */
export function bills(parts: SandboxParts, kept: ResponseCache) {
	const routes = new Hono<SandboxEnv>()
	addContractBills(routes, parts, kept)
	addDownloadContractBill(routes, parts)
	addContractNote(routes, parts)
	return routes
}

function addContractBills(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts, kept: ResponseCache) {
	routes.post(
		'/v1/reports/contractbills',
		describeOperation({
			id: 'listContractBills',
			summary: 'Contract notes and bills',
			query: Source,
			body: ContractBillsRequest,
			data: ContractBills,
		}),
		async (c) => {
			const { client_code, from_date, to_date, company_code } = await parseBody(c, ContractBillsRequest)
			requireOwn(c.var.client.code, client_code)
			if (from_date > to_date) throw invalidField('from_date', 'from_date is after to_date')
			if (from_date > toIndianDay(clock.now())) throw invalidField('from_date', 'From date must be in the past')
			return await kept.send(c, 'Contract bills fetched', [from_date, to_date, company_code], async () => {
				const notes = await listNotes(books, client_code, from_date, to_date, company_code === 'ALL' ? undefined : company_code)
				return notes.map((note) => ({
					BILL_DATE: note.day,
					BILL_NO: note.billNo,
					SETL_NO: note.settlementNo,
					COCD: note.segment,
					DOC_TYPE: note.isMark ? 'BILL' : 'CONTRACT NOTE',
					BILL_AMT: toRupees(note.net),
					file_path: formatPath(client_code, note),
				})) satisfies z.input<typeof ContractBills>
			})
		},
	)
}

function addDownloadContractBill(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books } = parts
	routes.post(
		'/v1/reports/contract-bills-file',
		describeOperation({
			id: 'downloadContractBill',
			summary: 'One contract note as PDF',
			query: Source,
			body: ContractBillFileRequest,
			files: [PDF_TYPE],
		}),
		async (c) => {
			const { client_code, file_path } = await parseBody(c, ContractBillFileRequest)
			const { code } = c.var.client
			requireOwn(code, client_code)
			// The path is looked up, never opened: it must be the exact path of one of this client's bills.
			const billNo = /_([A-Z]{2}\d{8})\.pdf$/.exec(file_path)?.[1] ?? ''
			const note = await findNote(books, code, billNo)
			if (note === undefined || formatPath(code, note) !== file_path) throw new Refused(404, NO_DATA)
			const [client, trades, charges, mark] = await Promise.all([
				requireClient(parts, code),
				readNoteTrades(books, billNo),
				readNoteCharges(books, billNo),
				findMarkLine(books, billNo),
			])
			return c.body(
				streamNote(parts, client, note, { trades, charges, mark }),
				200,
				fileHeaders(PDF_TYPE, `${code}_CONTRACT_${billNo}.pdf`),
			)
		},
	)
}

function addContractNote(routes: Hono<SandboxEnv>, { books }: SandboxParts) {
	routes.get(
		'/v1/ours/contract-note',
		describeOperation({ id: 'getContractNote', summary: 'One contract note, line by line', query: BillQuery, data: ContractNote }),
		async (c) => {
			const { bill } = parseQuery(c, BillQuery)
			const note = await findNote(books, c.var.client.code, bill)
			if (note === undefined) throw new Refused(404, NO_DATA)
			const [trades, charges, mark] = await Promise.all([
				readNoteTrades(books, bill),
				readNoteCharges(books, bill),
				findMarkLine(books, bill),
			])
			return sendData(c, 'Contract note fetched', {
				BILL_NO: note.billNo,
				CONTRACT_NO: note.contractNo,
				BILL_DATE: note.day,
				SETL_NO: note.settlementNo,
				SETTLES_ON: note.settlesOn,
				COCD: note.segment,
				LEDGER: note.ledger,
				VOUCHER_NO: note.voucherNo,
				LEDGER_AMT: toRupees(note.posted),
				OBLIGATION: toRupees(note.obligation),
				TOTAL_CHARGES: toRupees(sumBy(charges, ({ amount }) => amount)),
				NET: toRupees(note.net),
				file_path: formatPath(c.var.client.code, note),
				trades: trades.map(noteTradeRow),
				charges: charges.map(({ kind, base, rate, amount, rule }) => ({
					KIND: kind,
					BASE: toRupees(base),
					RATE: rate,
					AMOUNT: toRupees(amount),
					RULE: rule,
				})),
				mark: mark
					? {
							SCRIP_NAME: mark.name,
							QTY: countUnits(mark, mark.quantity),
							CLOSE_RATE: toPrice(mark.price),
							STOOD_AT: toRupees(mark.stood),
							AMOUNT: toRupees(mark.amount),
						}
					: null,
			} satisfies z.input<typeof ContractNote>)
		},
	)
}
