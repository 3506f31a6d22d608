import { formatDashedDay, formatDay } from '#contract/values/dates'
import { formatAmount, formatBalance, formatRupees } from '#contract/values/money'
import { SEGMENT_NAMES } from '#contract/values/segments'
import { countRows, type PrintedLine, formatSignedBalance, formatSide, writeLedgerPages } from '#documents/ledger-lines'
import { createPdf, drawFooter, drawHeading, drawRunningHead, PAGE, ROW, streamPdf } from '#documents/pdf-page'
import { type TextWriter } from '#documents/pdf-text'
import { type LedgerEntry, type LedgerSums, readLedgerEntries } from '#sandbox/book/read-ledger'
import { maskPan } from '#sandbox/clients/clients'
import { type LedgerFile, nameLedgers, openingNumber, showLedgerPeriod, sumLedgers, VOUCHER_NAMES } from './ledger-file'
import { tellMade } from './title-block'

/** The y position where rows begin, in points: below the letterhead on the first page, below the running head on later pages. */
const TOP = { first: 206, later: 74 }

function countPages(sums: LedgerSums[]): number {
	const entries = sums.reduce((sum, each) => sum + each.entries, 0)
	// The opening row and the total, or the one line for an empty ledger.
	const lines = sums.length > 0 ? entries + 2 : 1
	return 1 + Math.ceil(Math.max(0, lines - countRows(TOP.first)) / countRows(TOP.later))
}

function formatLine(entry: LedgerEntry): PrintedLine {
	const { VOUCHER_DATE, VOUCHER_NO, VOUCHER_TYPE, SETL_NO, NARRATION, amount, balance } = entry
	const cells = [formatDay(VOUCHER_DATE), VOUCHER_NO, VOUCHER_NAMES[VOUCHER_TYPE], SEGMENT_NAMES[entry.COCD], SETL_NO ?? '', NARRATION]
	return { cells: [...cells, formatSide(-amount), formatSide(amount), formatSignedBalance(balance)] }
}

async function* listLines({ parts, period, sums }: LedgerFile): AsyncGenerator<PrintedLine[]> {
	const [first] = sums
	if (!first) return yield [{ cells: ['No entries up to the end of this period.'] }]
	const { cocd, opening, debit, credit } = sumLedgers(sums)
	const start = [
		formatDay(period.from),
		openingNumber(first.cocd, period.from),
		VOUCHER_NAMES.OPENING,
		cocd ? SEGMENT_NAMES[cocd] : 'All',
		'',
	]
	const sides = [formatSide(opening.debit), formatSide(opening.credit), formatSignedBalance(opening.credit - opening.debit)]
	yield [{ cells: [...start, 'Opening balance', ...sides], isStrong: true }]
	for await (const entries of readLedgerEntries(parts.books, period, sums)) yield entries.map(formatLine)
	const words = `Total with opening; balance on ${formatDay(period.to)}`
	const figures = [formatAmount(debit), formatAmount(credit), formatSignedBalance(credit - debit)]
	yield [{ cells: ['', '', '', '', '', words, ...figures], isStrong: true, ruleAbove: true }]
}

function drawLetterhead(text: TextWriter, file: LedgerFile): void {
	const { parts, client, sums } = file
	const { pan } = client.profile.personal_details
	const facts = [
		['Client', client.name],
		['Client code', client.code],
		['PAN', maskPan(pan)],
		['Period', showLedgerPeriod(file)],
		['Ledger', nameLedgers(file)],
	] as const
	drawHeading(text, parts.settings.brokerName, 'Ledger statement', facts)
	drawSummary(text, sums)
	text.write('Cr: the broker owes you. Dr: you owe the broker. Margin blocked and released is not shown.', PAGE.left, 172, {
		face: 'text',
		size: 7.5,
		gray: 0.4,
	})
}

function drawSummary(text: TextWriter, sums: LedgerSums[]): void {
	const columns = [508, 606, 704, 806]
	const heads = ['Opening', 'Debits', 'Credits', 'Closing']
	for (const [at, x] of columns.entries()) text.write(heads[at] ?? '', x, 82, { face: 'text', size: 8.5, gray: 0.4, align: 'right' })
	for (const [row, { cocd, opening, debit, credit }] of sums.entries()) {
		const y = 82 + (row + 1) * ROW
		text.write(SEGMENT_NAMES[cocd], 378, y, { face: 'text', size: 8.5 })
		const figures = [formatBalance(opening), formatRupees(debit), formatRupees(credit), formatBalance(opening + credit - debit)]
		for (const [at, x] of columns.entries()) {
			text.write(figures[at] ?? '', x, y, { face: at === 3 ? 'strongFigure' : 'figure', size: 8.5, align: 'right' })
		}
	}
}

async function* writePdf(file: LedgerFile): AsyncGenerator<Uint8Array> {
	const { parts, client, madeAt, period } = file
	const { brokerName } = parts.settings
	const title = `Ledger of ${client.code}, ${formatDashedDay(period.from)} to ${formatDashedDay(period.to)}`
	const pdf = createPdf({ title, author: brokerName, madeAt })
	const { text } = pdf
	const pages = countPages(file.sums)
	const drawFrame = (page: number): number => {
		drawFooter(text, tellMade(madeAt), page, pages)
		if (page === 1) drawLetterhead(text, file)
		else {
			const head = `${brokerName} · Ledger of ${client.name} (${client.code})`
			drawRunningHead(text, head, `${formatDay(period.from)} to ${formatDay(period.to)}`)
		}
		return page === 1 ? TOP.first : TOP.later
	}
	yield* writeLedgerPages(pdf, { lines: listLines(file), drawFrame })
}

/** The ledger as a PDF, written page by page while the entries are read. */
export function streamLedgerPdf(file: LedgerFile): ReadableStream<Uint8Array> {
	return streamPdf(writePdf(file))
}
