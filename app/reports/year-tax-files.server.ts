import { unreadIn } from '#contract/tolerant'
import { type FinancialYear } from '#contract/values/financial-year'
import { type Broker } from '~/broker/client.server'
import { downloadIncomeTax } from '~/broker/downloads.server'
import { getTaxFacts, listSchedule112a, listScripCharges } from '~/broker/reports.server'
import { sumOrNull } from '~/lib/unknown'
import { streamCsv } from './csv.server'
import { dividendReport } from './dividends.server'
import { readIncomeTax, schedule112aReport, taxLots } from './income-tax.server'
import { chargesReport } from './pnl-charges.server'
import { amount, memoize, missingIn, type YearFile } from './year-file.server'

/* The files of a year pack that a tax return needs besides the statements. */

export function chargesFile(broker: Broker, year: FinancialYear): YearFile {
	const rows = memoize(() => listScripCharges(broker, year))
	return {
		file: `${broker.clientCode}_PNL_CHARGES.csv`,
		statement: 'Profit & Loss: charges',
		open: async () => streamCsv(chargesReport, [await rows()]),
		missing: missingIn(rows),
		figure: async () => amount('All charges', sumOrNull((await rows()).map(({ TOTAL }) => TOTAL))),
	}
}

export function listTaxFiles(broker: Broker, year: FinancialYear, hasSchedule: boolean): YearFile[] {
	const code = broker.clientCode
	const lots = memoize(async () => (await readIncomeTax(broker, year))?.rows ?? [])
	const lines = memoize(() => listSchedule112a(broker, year))
	const gain = async () => {
		const rows = await lots()
		return unreadIn(rows) ? undefined : amount('Gain', sumOrNull(rows.map(({ GAIN }) => GAIN)))
	}
	return [
		{ file: `${code}_INCOME_TAX.xlsx`, statement: 'Income Tax', open: () => downloadIncomeTax(broker, year), figure: gain },
		{
			file: `${code}_INCOME_TAX.csv`,
			statement: 'Income Tax',
			open: async () => streamCsv(taxLots, [await lots()]),
			figure: gain,
			missing: missingIn(lots),
		},
		...(hasSchedule
			? [
					{
						file: `${code}_SCHEDULE_112A.csv`,
						statement: 'Schedule 112A',
						open: async () => streamCsv(schedule112aReport, [await lines()]),
						missing: missingIn(lines),
						figure: async () => amount('Balance', sumOrNull((await lines()).map(({ BALANCE }) => BALANCE))),
					},
				]
			: []),
	]
}

export function dividendFile(broker: Broker, year: FinancialYear): YearFile {
	const dividends = memoize(async () => (await getTaxFacts(broker, year)).dividends)
	const rows = async () => (await dividends()).rows
	return {
		file: `${broker.clientCode}_DIVIDENDS.csv`,
		statement: 'Income Tax: dividends',
		open: async () => streamCsv(dividendReport(await dividends()), [await rows()]),
		missing: missingIn(rows),
		figure: async () => amount('Amount', sumOrNull((await rows()).map(({ AMOUNT }) => AMOUNT))),
	}
}
