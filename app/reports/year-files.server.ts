import { currentYear, type FinancialYear, startOfYear, findLastDay } from '#contract/values/financial-year'
import { SEGMENTS } from '#contract/values/segments'
import { type Broker, readFailure } from '~/broker/client.server'
import { now, today } from '~/broker/clock.server'
import {
	downloadClientMaster,
	downloadContractBill,
	downloadGlobalDetails,
	downloadGlobalSummary,
	downloadHoldings,
	downloadPnlReport,
} from '~/broker/downloads.server'
import { getLedgerReport, listLedgerParts } from '~/broker/ledger.server'
import { listClientSegments } from '~/broker/profile.server'
import { getPnlSegmentReport, listContractBills } from '~/broker/reports.server'
import { decodeBase64File } from '~/lib/base64'
import { sumOrNull } from '~/lib/unknown'
import { billsReport } from './contract-bills.server'
import { globalDetailsStatement } from './global-details.server'
import { globalSummaryStatement } from './global-summary.server'
import { holdingStatement } from './holding.server'
import { arrangeParts, ledgerReport } from './ledger.server'
import { offersCharges, offersDividends, offersSchedule } from './offered-files.server'
import { positionStatement } from './position.server'
import { listProfits, pnlReport } from './profit-and-loss.server'
import { streamCsv } from './csv.server'
import { type Report } from './declaration'
import { type Statement } from './statement.server'
import { amount, type ManifestEntry, memoize, missingIn, type YearFile } from './year-file.server'
import { openYearLedger, queryYear } from './year-ledger.server'
import { chargesFile, dividendFile, listTaxFiles } from './year-tax-files.server'

/** The last file of the pack: the list of its files with their sizes, and of the missing files. */
export const yearManifest: Report<ManifestEntry> = {
	title: 'Year pack',
	words: ({ file }) => file,
	columns: [
		plain('file', 'File', ({ file }) => file),
		plain('statement', 'Statement', ({ statement }) => statement),
		{ ...plain('bytes', 'Bytes', ({ bytes }) => String(bytes)), align: 'right' },
		plain('sha256', 'SHA-256', ({ sha256 }) => sha256),
		plain('figure', 'Figure', ({ figure }) => figure?.label ?? ''),
		{ ...plain('amount', 'Amount', ({ figure }) => figure?.amount ?? ''), align: 'right' },
		plain('problem', 'Problem', ({ problem }) => problem),
	],
}

function plain(key: string, label: string, get: (entry: ManifestEntry) => string) {
	return { key, label, cell: get, plain: get }
}

/** Returns the decoded client master. Throws a 502 with a message for the client when it is not a PDF. */
export async function openClientMaster(broker: Broker): Promise<ReadableStream<Uint8Array>> {
	const unreadable = () => Response.json({ message: 'The file could not be read. Try again.' }, { status: 502 })
	const text = await downloadClientMaster(broker).catch(async (error: unknown) => {
		const failure = await readFailure(error)
		// The broker reported success, but the text is not readable base64. The broker client has logged it.
		throw failure?.status === 502 && failure.answered === 200 ? unreadable() : error
	})
	const file = decodeBase64File(text, '%PDF-')
	if (!file) throw unreadable()
	return file
}

/** Returns every file of a year, in the order of the pack. Throws when the broker gives neither the ledger nor the bills. */
export async function listYearFiles(broker: Broker, year: FinancialYear, brand: string): Promise<YearFile[]> {
	const period = { from: startOfYear(year), to: findLastDay(year, today()) }
	const [ledger, bills, held, hasCharges, hasDividends, hasSchedule] = await Promise.all([
		settled(getLedgerReport(broker, queryYear(year))),
		settled(listContractBills(broker, period)),
		listClientSegments(broker),
		offersCharges(broker, year),
		offersDividends(broker, year),
		offersSchedule(broker, year),
	])
	if (ledger.error !== undefined && bills.error !== undefined) throw ledger.error
	return [
		...listLedgerFiles(broker, year, brand),
		...listHoldingFiles(broker, year),
		...listPositionFiles(broker, year),
		...listProfitFiles(broker, year, held),
		...(hasCharges ? [chargesFile(broker, year)] : []),
		...listGlobalFiles(broker, year),
		...listTaxFiles(broker, year, hasSchedule),
		...(hasDividends ? [dividendFile(broker, year)] : []),
		...listBillFiles(broker, bills),
		{ file: `${broker.clientCode}_CLIENT_MASTER.pdf`, statement: 'Client master', open: () => openClientMaster(broker) },
	]
}

/** A statement reads its dates from an address; this address has none. */
const NO_FILTERS = new URL('https://year.pack/')

/** Reads a statement's rows once, for the figure of its files (the sum of a column) and for the note of what is missing in its CSV. */
function readTotal(broker: Broker, year: FinancialYear, statement: Statement, column: string) {
	const total = memoize(() => statement.yearTotal(broker, year, column))
	return { figure: async () => (await total()).figure, missing: missingIn(async () => (await total()).rows) }
}

function listLedgerFiles(broker: Broker, year: FinancialYear, brand: string): YearFile[] {
	const file = `${broker.clientCode}_LEDGER`
	const query = queryYear(year)
	const rows = () => getLedgerReport(broker, query)
	const figure = async () => amount('Closing balance', (await rows()).totals_df[0]?.BALANCE)
	const open = (format: 'pdf' | 'xlsx') => () => openYearLedger(broker, { brand, format, year })
	const csv = () => streamCsv(ledgerReport, arrangeParts(listLedgerParts(broker, query), undefined))
	return [
		{ file: `${file}.pdf`, statement: 'Ledger', open: open('pdf'), figure },
		{ file: `${file}.xlsx`, statement: 'Ledger', open: open('xlsx'), figure },
		{ file: `${file}.csv`, statement: 'Ledger', open: csv, figure, missing: missingIn(rows) },
	]
}

function listHoldingFiles(broker: Broker, year: FinancialYear): YearFile[] {
	const file = `${broker.clientCode}_HOLDING`
	const { figure, missing } = readTotal(broker, year, holdingStatement, 'value')
	const isCurrent = year === currentYear(now())
	const pdf = isCurrent
		? () => downloadHoldings(broker, 'pdf')
		: { absent: 'The broker makes this file for today only; the CSV is for the last day of the year.' }
	return [
		{
			file: `${file}.csv`,
			statement: 'Holding',
			open: () => holdingStatement.csv(broker, NO_FILTERS, year),
			figure,
			missing,
		},
		{ file: `${file}.pdf`, statement: 'Holding', open: pdf, figure },
		...(isCurrent ? [{ file: `${file}.xlsx`, statement: 'Holding', open: () => downloadHoldings(broker, 'xlsx'), figure }] : []),
	]
}

function listPositionFiles(broker: Broker, year: FinancialYear): YearFile[] {
	const { figure, missing } = readTotal(broker, year, positionStatement, 'mtm')
	const open = () => positionStatement.csv(broker, NO_FILTERS, year)
	return [{ file: `${broker.clientCode}_POSITION.csv`, statement: 'Position', open, figure, missing }]
}

function listProfitFiles(broker: Broker, year: FinancialYear, held: Awaited<ReturnType<typeof listClientSegments>>): YearFile[] {
	const file = `${broker.clientCode}_PNL`
	const segments = memoize(() => getPnlSegmentReport(broker, year))
	const profits = memoize(() => listProfits(broker, year, held))
	// The rows of the file are of these segments; a broker may state more.
	const listNets = async () => (await segments()).data.flatMap(({ SEGMENT, NET }) => (held.some((of) => of === SEGMENT) ? [NET] : []))
	return [
		{
			file: `${file}.csv`,
			statement: 'Profit & Loss',
			open: async () => streamCsv(pnlReport, [await profits()]),
			figure: async () => amount('Net', sumOrNull(await listNets())),
			missing: missingIn(profits),
		},
		...held.flatMap((segment) =>
			(['pdf', 'xls'] as const).map((format) => ({
				file: `${file}_${segment}.${format}`,
				statement: `Profit & Loss, ${SEGMENTS[segment]}`,
				open: () => downloadPnlReport(broker, year, segment, format),
				figure: async () => amount('Net', (await segments()).data.find(({ SEGMENT }) => SEGMENT === segment)?.NET),
			})),
		),
	]
}

function listGlobalFiles(broker: Broker, year: FinancialYear): YearFile[] {
	const code = broker.clientCode
	const summary = readTotal(broker, year, globalSummaryStatement, 'realised')
	const details = readTotal(broker, year, globalDetailsStatement, 'charges')
	return [
		{
			file: `${code}_GLOBAL_SUMMARY.pdf`,
			statement: 'Global Summary',
			open: () => downloadGlobalSummary(broker, year),
			figure: summary.figure,
		},
		{
			file: `${code}_GLOBAL_SUMMARY.csv`,
			statement: 'Global Summary',
			open: () => globalSummaryStatement.csv(broker, NO_FILTERS, year),
			...summary,
		},
		{
			file: `${code}_GLOBAL_DETAILS.xlsx`,
			statement: 'Global Details',
			open: () => downloadGlobalDetails(broker, year),
			figure: details.figure,
		},
		{
			file: `${code}_GLOBAL_DETAILS.csv`,
			statement: 'Global Details',
			open: () => globalDetailsStatement.csv(broker, NO_FILTERS, year),
			...details,
		},
	]
}

type Bills = Awaited<ReturnType<typeof settled<Awaited<ReturnType<typeof listContractBills>>>>>

/** Returns the list of bills, and each note that it names. */
function listBillFiles(broker: Broker, { value, error }: Bills): YearFile[] {
	const code = broker.clientCode
	const named = new Map<string, number>()
	/** Segments may number their bills alike. A zip with two files of one name loses one when it is unpacked. */
	const nameOnce = (name: string) => {
		const times = (named.get(name) ?? 0) + 1
		named.set(name, times)
		return `contract-notes/${name}${times > 1 ? `_${times}` : ''}.pdf`
	}
	const rows = async () => {
		if (value === undefined) throw error
		return value
	}
	return [
		{
			file: `${code}_CONTRACTNBILL.csv`,
			statement: 'Contract/Bill',
			open: async () => streamCsv(billsReport, [await rows()]),
			missing: missingIn(rows),
			figure: async () => value && amount('Amount', sumOrNull(value.map(({ BILL_AMT }) => BILL_AMT))),
		},
		...(value ?? []).map(({ BILL_NO, DOC_TYPE, BILL_AMT, file_path }) => ({
			file: nameOnce(`${code}_CONTRACT_${BILL_NO.replace(/[^A-Za-z0-9_-]/g, '_')}${DOC_TYPE === 'BILL' ? '_BILL' : ''}`),
			statement: DOC_TYPE === 'BILL' ? 'Bill' : 'Contract note',
			open:
				file_path === null ? { absent: 'The broker gave no readable file for this note.' } : () => downloadContractBill(broker, file_path),
			figure: async () => amount('Amount', BILL_AMT),
		})),
		...(error === undefined ? [] : [{ file: 'contract-notes/', statement: 'Contract notes', open: () => Promise.reject(error as Error) }]),
	]
}

/** Returns the value or the error. Throws a redirect, which means that the session has ended. */
async function settled<Value>(asked: Promise<Value>): Promise<{ value?: Value; error?: unknown }> {
	try {
		return { value: await asked }
	} catch (error) {
		if (error instanceof Response && error.status < 404) throw error
		return { error }
	}
}
