import { beforeAll, expect, test } from 'vitest'
import { daysBetween } from '#contract/values/dates'
import { parseDay } from '#contract/values/typed-day'
import { readWorkbooks } from '#tests/support/office'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { paiseIn, readCsv, readTable, readText } from '#tests/support/readers'

/* Rates of return compared with LibreOffice's XIRR over the cash flows on the page. */

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})

const NAMES =
	'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
const cell = (value: number) => `<table:table-cell office:value-type="float" office:value="${value}"/>`

/** A workbook with an XIRR formula in the third column of the first row of each set of flows. Tolerance: one millionth. */
function makeWorkbook(sets: readonly (readonly [day: number, amount: number][])[]): Buffer {
	let row = 0
	const rows = sets.flatMap((flows) => {
		const [first, last] = [row + 1, (row += flows.length)]
		const rate = (guess: number) => `XIRR([.B${first}:.B${last}];[.A${first}:.A${last}];${guess})`
		const formula = `<table:table-cell table:formula="of:=ROUND(IFERROR(${rate(0.1)};${rate(-0.5)})*1000000)"/>`
		return flows.map(([day, amount], at) => `<table:table-row>${cell(day)}${cell(amount)}${at === 0 ? formula : ''}</table:table-row>`)
	})
	const sheet = `<table:table table:name="Rates">${rows.join('')}</table:table>`
	const type = 'application/vnd.oasis.opendocument.spreadsheet'
	return Buffer.from(
		`<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMES} xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2" office:mimetype="${type}"><office:body><office:spreadsheet>${sheet}</office:spreadsheet></office:body></office:document>`,
	)
}

test('every holding’s rate of return equals LibreOffice’s XIRR of the flows on its page', { timeout: 120_000 }, async () => {
	const holding = readCsv(await (await client.send('/downloads/holding/csv')).text())
	const at = holding[0]?.indexOf('ISIN') ?? -1
	const pages: { isin: string; shown: number; days: number; flows: [number, number][] }[] = []
	for (const row of holding.slice(1)) {
		const isin = row[at] ?? ''
		const { html } = await client.visit(`/reports/holding/${isin}`)
		const shown = /Return by date of payment \(XIRR\) ([+−]?)([\d,.]+) % (a year|so far)/.exec(readText(html))
		if (!shown) continue
		const flows = readTable(html, 'Cash flows').rows.map(([date = '', , amount]): [number, number] => [
			daysBetween('1899-12-30', parseDay(date) ?? ''),
			paiseIn(amount) / 100,
		])
		const days = (flows.at(-1)?.[0] ?? 0) - (flows[0]?.[0] ?? 0)
		expect([isin, shown[3]]).toEqual([isin, days >= 365 ? 'a year' : 'so far'])
		pages.push({ isin, shown: Number(shown[2]?.replaceAll(',', '')) * (shown[1] === '−' ? -1 : 1), days, flows })
	}
	expect(pages.length).toBeGreaterThan(15)
	const workbooks = await readWorkbooks(new Map([['rates.fods', makeWorkbook(pages.map(({ flows }) => flows))]]))
	const rates = workbooks.get('rates.fods')?.[0]?.rows.flatMap(([, , rate]) => (rate ? [Number(rate) / 1e6] : [])) ?? []
	expect(rates).toHaveLength(pages.length)
	for (const [index, { isin, shown, days }] of pages.entries()) {
		const rate = rates[index] ?? NaN
		// For less than a year the page shows the return of that period.
		const expected = 100 * (days >= 365 ? rate : (1 + rate) ** (days / 365) - 1)
		expect(Math.abs(shown - expected), `${isin}: ${shown} %, LibreOffice ${expected} %`).toBeLessThan(0.006)
	}
})
