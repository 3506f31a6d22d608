import { buffer } from 'node:stream/consumers'
import { and, eq } from 'drizzle-orm'
import { ZipFile } from 'yazl'
import { Segment } from '#contract/units'
import { timeOfDay, toIndianDay } from '#contract/values/dates'
import { type Period, yearPeriod } from '#sandbox/api/period-query'
import { readStockMoves } from '#sandbox/book/read-moves'
import { readScripPeriods } from '#sandbox/book/read-scrips'
import { readScripCharges } from '#sandbox/book/read-trades'
import { pnlBundles } from '#sandbox/db/schema'
import { buildWorkbookTitle } from '#sandbox/files/title-block'
import { writeXls } from '#sandbox/files/xls'
import { type SandboxParts } from '#sandbox/types'
import { pnlPdf, pnlXls } from './pnl-files'
import { requireClient, showPeriod } from './statements'
import { hasProfitAndLoss } from './scrip-rows'
import { chargesTable } from './tables'

/** Bundles of a year's profit and loss. A bundle is made on request and kept until the next one is made. */
export function createBundles(parts: SandboxParts) {
	const { books, clock } = parts
	const making = new Map<string, Promise<void>>()
	const own = (client: string, year: string) => and(eq(pnlBundles.client, client), eq(pnlBundles.year, year))

	async function make(client: string, year: string): Promise<void> {
		const made_at = clock.now()
		const bytes = await zipYear(parts, client, yearPeriod(year, toIndianDay(made_at)))
		const row = { made_at, zip: bytes.toString('base64') }
		await books.db
			.insert(pnlBundles)
			.values({ client, year, ...row })
			.onConflictDoUpdate({ target: [pnlBundles.client, pnlBundles.year], set: row })
	}

	async function readState(client: string, year: string) {
		const [found] = await books.db.select({ made_at: pnlBundles.made_at }).from(pnlBundles).where(own(client, year))
		return { zip_time: found ? inIndia(found.made_at) : null, is_genearte: found !== undefined }
	}

	return {
		readState,
		/** Starts a bundle, unless one is being made; returns the state of the last one. */
		async start(client: string, year: string) {
			const key = `${client}/${year}`
			const state = await readState(client, year)
			// A failed bundle leaves the last one unchanged, so the portal still shows the last one's time.
			if (!making.has(key)) {
				const made = make(client, year)
					.catch(() => undefined)
					.finally(() => making.delete(key))
				making.set(key, made)
			}
			return state
		},
		/** The last bundle's bytes; waits for one that is being made. */
		async read(client: string, year: string): Promise<Buffer | undefined> {
			await making.get(`${client}/${year}`)
			const [found] = await books.db.select({ zip: pnlBundles.zip }).from(pnlBundles).where(own(client, year))
			return found && Buffer.from(found.zip, 'base64')
		},
	}
}

/** `2025-03-28T19:42:10+05:30`. */
const inIndia = (at: Date) => `${toIndianDay(at)}T${timeOfDay(at)}+05:30`

/** A PDF and a workbook for each segment with data, and the charges of all. */
async function zipYear(parts: SandboxParts, code: string, { from, to }: Period): Promise<Buffer> {
	const { books, clock } = parts
	const [client, scrips, charges, moves] = await Promise.all([
		requireClient(parts, code),
		readScripPeriods(books, code, from, to),
		readScripCharges(books, code, from, to),
		readStockMoves(books, code, from, to),
	])
	const zip = new ZipFile()
	const options = { mtime: clock.now() }
	for (const segment of Segment.options) {
		const own = scrips.filter((scrip) => scrip.segment === segment && hasProfitAndLoss(scrip))
		if (own.length === 0) continue
		const contents = { type: segment, scrips: own, moves }
		const pdf = await new Response(pnlPdf(parts, client, contents, { from, to })).arrayBuffer()
		zip.addBuffer(Buffer.from(pdf), `${code}_PNL_${segment}.pdf`, options)
		zip.addBuffer(pnlXls(parts, client, contents, { from, to }), `${code}_PNL_${segment}.xls`, options)
	}
	const title = buildWorkbookTitle(parts, client, { heading: 'Charges', period: showPeriod(from, to) })
	zip.addBuffer(writeXls([chargesTable(charges)], title), `${code}_PNL_CHARGES.xls`, options)
	zip.end()
	return await buffer(zip.outputStream)
}
