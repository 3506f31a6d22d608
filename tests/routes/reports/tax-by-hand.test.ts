import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPortal, signedIn, type Visitor } from '#tests/support/portal'
import { paiseAfter, paiseIn, parsePage, readTable, readText } from '#tests/support/readers'

/*
 * Five years of DEMO01's income tax page, worked by hand from the lots on the page. The day of the books is fixed, so the figures do
 * not change.
 *
 * Rules, in the order in which return software applies them (Income-tax Act, 1961: ss.70 to 74; from Tax Year 2026-27 the Act of 2025: ss.108,
 * 109, 111 to 113): losses within the head; a short-term loss against long-term gains too, a long-term loss against long-term gains alone; a
 * business loss of the year (futures, options, commodity) against all but salary; then losses of earlier years, capital losses and business losses
 * for eight years, speculative ones for four, each against its own kind. Of several gains the one taxed highest comes first, income at the
 * client's own rate (other units, then dividends) before 20 %, 15 %, 12.5 % and 10 %. The exemption of long-term gains (1,00,000; 1,25,000 from 2024-25) comes
 * after set-off, then 4 % cess.
 */

let open: Awaited<ReturnType<typeof openPortal>>
let client: Visitor
beforeAll(async () => {
	open = await openPortal({ made: { seed: 'test', today: '2026-11-21' } })
	client = await signedIn(open)
})
afterAll(() => open.close())

/** Gold, silver and liquid funds: no securities transaction tax is paid on them. */
const OTHER_UNITS = ['INF204KB17I5', 'INF204KC1402', 'INF732E01037', 'INF200K01RP8']

/** The head of a lot, by what it is and when it was sold: rates changed on 23-Jul-2024. Days are DD/MM/YYYY. */
function findHead([, head = '', , isin = '', , , , sold = '']: readonly string[]): string {
	const day = sold.split('/').reverse().join('-')
	const isOther = OTHER_UNITS.includes(isin)
	// In the year of the change both halves are at the client's own rate, so a head names its sales.
	const half = day < '2024-04-01' || day > '2025-03-31' ? '' : `, sold ${day < '2024-07-23' ? 'before' : 'from'} 23/07/2024`
	if (['Speculative', 'Future & Options', 'Commodity'].includes(head)) return head
	if (head === 'Short-term') return isOther ? `${SHORT_SLAB}${half}` : `Short-term gains, STT paid (${day < '2024-07-23' ? 15 : 20} %)`
	const [before, after] = isOther ? [20, 12.5] : [10, 12.5]
	return `Long-term gains, ${isOther ? 'other units' : 'STT paid'} (${day < '2024-07-23' ? before : after} %)`
}

/** Gains and losses of each head, from the lots of the page. The gain of a lot is its sell amount less its cost and expenses. */
function sumLots(html: string): Map<string, [gains: number, losses: number]> {
	const sums = new Map<string, [number, number]>()
	for (const lot of readTable(html, 'Income Tax').rows) {
		const [gains, losses] = sums.get(findHead(lot)) ?? [0, 0]
		const gain = paiseIn(lot[11])
		sums.set(findHead(lot), gain < 0 ? [gains, losses - gain] : [gains + gain, losses])
	}
	return sums
}

type Year = {
	/** Gains, losses, and the rest after set-off. */
	heads: [name: string, gains: number, losses: number, after: number][]
	steps: [loss: string, of: string, against: string, section: string, amount: number][]
	carried: [loss: string, of: string, until: string, amount: number][]
	tax: number
}

const SHORT_15 = 'Short-term gains, STT paid (15 %)'
const SHORT_20 = 'Short-term gains, STT paid (20 %)'
const SHORT_SLAB = 'Short-term gains, other units'
const SHORT_SLAB_FROM = `${SHORT_SLAB}, sold from 23/07/2024`
const LONG_10 = 'Long-term gains, STT paid (10 %)'
const LONG_12 = 'Long-term gains, STT paid (12.5 %)'
const LONG_OTHER = 'Long-term gains, other units (12.5 %)'
const INTRADAY = 'Speculative'
const FUTURES = 'Future & Options'
const COMMODITY = 'Commodity'
const [SHORT, LONG, SPECULATIVE, BUSINESS] = ['Short-term capital loss', 'Long-term capital loss', 'Speculative loss', 'Business loss']

const WORKED: Record<string, Year> = {
	'2022-2023': {
		// Shares held short lose 38,654.68 - 8,485.87 = 30,168.81 more than they gain; no long-term gain takes it. Business is left at 13,092.54 and
		// 23,694.42, at the client's own rate. No gain with a rate of its own: no tax.
		heads: [
			[SHORT_15, 8_485_87, 38_654_68, 0],
			[INTRADAY, 1_419_87, 389_38, 1_030_49],
			[FUTURES, 90_799_51, 77_706_97, 13_092_54],
			[COMMODITY, 45_210_45, 21_516_03, 23_694_42],
		],
		steps: [
			[SHORT, '2022-2023', SHORT_15, 'Section 70', 8_485_87],
			[SPECULATIVE, '2022-2023', INTRADAY, 'Section 73', 389_38],
			[BUSINESS, '2022-2023', FUTURES, 'Section 70', 77_706_97],
			[BUSINESS, '2022-2023', COMMODITY, 'Section 70', 21_516_03],
		],
		carried: [[SHORT, '2022-2023', '2030-2031', 30_168_81]],
		tax: 0,
	},
	'2023-2024': {
		// Business loses 84,024.95 + 41,512.54 - 69,222.36 - 17,353.43 = 38,961.70 more than it gains. It takes the intraday profit of 647.67 -
		// 230.86 = 416.81, the other units' 2,738.53, dividends of 9,807.50, and of the shares' 46,473.31 - 1,651.44 = 44,821.87 the rest, 25,998.86:
		// 18,823.01 are left. The 30,168.81 of 2022-23 take these and 11,345.80 of the long-term 35,494.02: 24,148.22 are left, less than 1,00,000:
		// no tax.
		heads: [
			[SHORT_SLAB, 2_738_53, 0, 0],
			[SHORT_15, 46_473_31, 1_651_44, 0],
			[LONG_10, 35_494_02, 0, 24_148_22],
			[INTRADAY, 647_67, 230_86, 0],
			[FUTURES, 69_222_36, 84_024_95, 0],
			[COMMODITY, 17_353_43, 41_512_54, 0],
		],
		steps: [
			[SHORT, '2023-2024', SHORT_15, 'Section 70', 1_651_44],
			[SPECULATIVE, '2023-2024', INTRADAY, 'Section 73', 230_86],
			[BUSINESS, '2023-2024', FUTURES, 'Section 70', 69_222_36],
			[BUSINESS, '2023-2024', COMMODITY, 'Section 70', 17_353_43],
			[BUSINESS, '2023-2024', INTRADAY, 'Section 70', 416_81],
			[BUSINESS, '2023-2024', SHORT_SLAB, 'Section 71', 2_738_53],
			[BUSINESS, '2023-2024', 'Dividends', 'Section 71', 9_807_50],
			[BUSINESS, '2023-2024', SHORT_15, 'Section 71', 25_998_86],
			[SHORT, '2022-2023', SHORT_15, 'Section 74', 18_823_01],
			[SHORT, '2022-2023', LONG_10, 'Section 74', 11_345_80],
		],
		carried: [],
		tax: 0,
	},
	'2024-2025': {
		// Shares sold from 23 July on lose 10,960.54 - 9,371.04 = 1,589.50 more than they gain, which the other units' 7,578.22 take: 5,988.72 at
		// the client's rate. Those sold before: 45,913.04 - 1,196.19 = 44,716.85. Futures lose 67,628.07 - 47,439.13 = 20,188.94, commodity gains
		// 1,09,640.51 - 33,714.54 = 75,925.97. Long-term 17,506.68 + 12,023.38 = 29,530.06, all exempt.
		// 44,716.85 × 15 % = 6,707.53; with 4 % cess 6,975.83.
		heads: [
			[SHORT_SLAB_FROM, 7_578_22, 0, 5_988_72],
			[SHORT_20, 9_371_04, 10_960_54, 0],
			[SHORT_15, 45_913_04, 1_196_19, 44_716_85],
			[LONG_12, 17_506_68, 0, 17_506_68],
			[LONG_10, 12_023_38, 0, 12_023_38],
			[INTRADAY, 289_86, 990_08, 0],
			[FUTURES, 47_439_13, 67_628_07, 0],
			[COMMODITY, 1_09_640_51, 33_714_54, 55_737_03],
		],
		steps: [
			[SHORT, '2024-2025', SHORT_20, 'Section 70', 9_371_04],
			[SHORT, '2024-2025', SHORT_15, 'Section 70', 1_196_19],
			[SPECULATIVE, '2024-2025', INTRADAY, 'Section 73', 289_86],
			[BUSINESS, '2024-2025', FUTURES, 'Section 70', 47_439_13],
			// Commodity's own 33,714.54 and the futures' 20,188.94.
			[BUSINESS, '2024-2025', COMMODITY, 'Section 70', 53_903_48],
			[SHORT, '2024-2025', SHORT_SLAB_FROM, 'Section 70', 1_589_50],
		],
		carried: [[SPECULATIVE, '2024-2025', '2028-2029', 700_22]],
		tax: 6_975_83,
	},
	'2025-2026': {
		// Shares held short lose 30,227.94 - 28,815.19 = 1,412.75 more, of the other units' 1,795.83: 383.08 are left. Shares held long lose 46,216.46 -
		// 17,974.44 = 28,242.02 more; the other units' long-term 4,817.36 take a part, 23,424.66 are carried, for long-term gains alone.
		heads: [
			[SHORT_SLAB, 1_795_83, 0, 383_08],
			[SHORT_20, 28_815_19, 30_227_94, 0],
			[LONG_OTHER, 4_817_36, 0, 0],
			[LONG_12, 17_974_44, 46_216_46, 0],
			[INTRADAY, 621_61, 2_077_19, 0],
			[FUTURES, 1_28_659_24, 1_12_323_31, 16_335_93],
			[COMMODITY, 1_23_116_60, 11_599_22, 1_11_517_38],
		],
		steps: [
			[SHORT, '2025-2026', SHORT_20, 'Section 70', 28_815_19],
			[LONG, '2025-2026', LONG_12, 'Section 70', 17_974_44],
			[SPECULATIVE, '2025-2026', INTRADAY, 'Section 73', 621_61],
			[BUSINESS, '2025-2026', FUTURES, 'Section 70', 1_12_323_31],
			[BUSINESS, '2025-2026', COMMODITY, 'Section 70', 11_599_22],
			[LONG, '2025-2026', LONG_OTHER, 'Section 70', 4_817_36],
			[SHORT, '2025-2026', SHORT_SLAB, 'Section 70', 1_412_75],
		],
		carried: [
			[SPECULATIVE, '2024-2025', '2028-2029', 700_22],
			[LONG, '2025-2026', '2033-2034', 23_424_66],
			[SPECULATIVE, '2025-2026', '2029-2030', 1_455_58],
		],
		tax: 0,
	},
	'2026-2027': {
		// Futures lose 1,43,757.27 - 38,968.55 = 1,04,788.72, commodity gains 43,235.40 - 13,763.25 = 29,472.15: a business loss of 75,316.57. It
		// takes the dividends of 14,344.50, the short-term 42,822.65 - 1,166.58 = 41,656.07 and the long-term 3,956.85, so that the long-term loss
		// of 2025-26 finds nothing; 15,359.15 are carried. No gain is left: no tax.
		heads: [
			[SHORT_20, 42_822_65, 1_166_58, 0],
			[LONG_12, 3_956_85, 0, 0],
			[INTRADAY, 77_01, 796_61, 0],
			[FUTURES, 38_968_55, 1_43_757_27, 0],
			[COMMODITY, 43_235_40, 13_763_25, 0],
		],
		steps: [
			[SHORT, '2026-2027', SHORT_20, 'Section 108', 1_166_58],
			[SPECULATIVE, '2026-2027', INTRADAY, 'Section 113', 77_01],
			[BUSINESS, '2026-2027', FUTURES, 'Section 108', 38_968_55],
			// Its own 13,763.25 and 29,472.15 of the futures'.
			[BUSINESS, '2026-2027', COMMODITY, 'Section 108', 43_235_40],
			[BUSINESS, '2026-2027', 'Dividends', 'Section 109', 14_344_50],
			[BUSINESS, '2026-2027', SHORT_20, 'Section 109', 41_656_07],
			[BUSINESS, '2026-2027', LONG_12, 'Section 109', 3_956_85],
		],
		carried: [
			[SPECULATIVE, '2024-2025', '2028-2029', 700_22],
			[LONG, '2025-2026', '2033-2034', 23_424_66],
			[SPECULATIVE, '2025-2026', '2029-2030', 1_455_58],
			[SPECULATIVE, '2026-2027', '2030-2031', 719_60],
			[BUSINESS, '2026-2027', '2034-2035', 15_359_15],
		],
		tax: 0,
	},
}

test.each(Object.entries(WORKED))('%s: heads, set-off, carried losses and tax equal the figures worked by hand', async (year, worked) => {
	const { html } = await client.visit(`/reports/income-tax?year=${year}`)
	const lots = sumLots(html)
	expect(Object.fromEntries(lots)).toEqual(Object.fromEntries(worked.heads.map(([name, gains, losses]) => [name, [gains, losses]])))

	const heads = readTable(html, 'Summary').rows.map(([name = '', , rate = '', gains, losses, , after]) => [
		rate.endsWith('%') ? `${name} (${rate})` : name,
		...[gains, losses, after].map(paiseIn),
	])
	expect(heads).toEqual(worked.heads)
	expect(readTable(html, 'Set-off of losses').rows.map((row) => [...row.slice(0, 4), paiseIn(row[4])])).toEqual(worked.steps)
	if (worked.carried.length === 0) expect(readText(html)).toContain(`No loss is left to carry forward from ${year}.`)
	else expect(readTable(html, 'Losses carried forward').rows.map((row) => [...row.slice(0, 3), paiseIn(row[3])])).toEqual(worked.carried)
	expect(paiseAfter(readText(html), 'Estimated tax on capital gains')).toBe(worked.tax)
})

/** Of each year above, gains less losses of the heads of one kind: 2023-2024 short-term is 2,738.53 + 46,473.31 − 1,651.44. */
const NETS: [year: string, ...nets: string[]][] = [
	['2022-2023', 'Short-term −₹ 30,168.81', 'Speculative +₹ 1,030.49', 'Future & Options +₹ 13,092.54', 'Commodity +₹ 23,694.42'],
	[
		'2023-2024',
		'Short-term +₹ 47,560.40',
		'Long-term +₹ 35,494.02',
		'Speculative +₹ 416.81',
		'Future & Options −₹ 14,802.59',
		'Commodity −₹ 24,159.11',
	],
	[
		'2024-2025',
		'Short-term +₹ 50,705.57',
		'Long-term +₹ 29,530.06',
		'Speculative −₹ 700.22',
		'Future & Options −₹ 20,188.94',
		'Commodity +₹ 75,925.97',
	],
	[
		'2025-2026',
		'Short-term +₹ 383.08',
		'Long-term −₹ 23,424.66',
		'Speculative −₹ 1,455.58',
		'Future & Options +₹ 16,335.93',
		'Commodity +₹ 1,11,517.38',
	],
	[
		'2026-2027',
		'Short-term +₹ 41,656.07',
		'Long-term +₹ 3,956.85',
		'Speculative −₹ 719.60',
		'Future & Options −₹ 1,04,788.72',
		'Commodity +₹ 29,472.15',
	],
]

test.each(NETS)('%s: the net of each kind of gain is above the summary, unless each kind has one row in it', async (year, ...nets) => {
	const { html } = await client.visit(`/reports/income-tax?year=${year}`)
	const section = parsePage(html)
		.querySelectorAll('main section')
		.find((each) => each.querySelector('h2')?.text === 'Summary')
	const { rows, foot } = readTable(html, 'Summary')
	const paise = nets.map((net) => paiseIn(/\S?₹ [\d,.]+/.exec(net)?.[0]))
	const strip = section?.querySelector('dl')
	if (rows.length > nets.length) expect(strip?.querySelectorAll('div').map(readText)).toEqual(nets)
	else {
		expect(rows.map((row) => paiseIn(row[5]))).toEqual(paise)
		expect(strip).toBeNull()
	}
	expect(paise.reduce((total, net) => total + net, 0)).toBe(paiseIn(foot[5]))
})

test.each([
	// 1,030.49 + 13,092.54 + 23,694.42, from the heads above.
	['2022-2023', ['business ₹ 37,817.45'], 37_817_45],
	['2024-2025', ['business ₹ 55,737.03', 'capital gains ₹ 5,988.72'], 55_737_03 + 5_988_72],
] as const)('%s: the income at the client’s own rate stands beside the estimate, with its parts', async (year, parts, atSlab) => {
	const { html } = await client.visit(`/reports/income-tax?year=${year}`)
	const [dividends = ''] = readTable(html, 'Dividends').foot.filter((cell) => /\d/.test(cell))
	const told = readText(html)
	expect(paiseAfter(told, 'Income taxed at your slab')).toBe(atSlab + paiseIn(dividends))
	expect(told).toContain(`At your slab: ${parts.join(' + ')} + dividends ₹ ${dividends}; not in the estimate`)
})

test('a business loss that takes all dividends leaves no income at the client’s own rate', async () => {
	const { html } = await client.visit('/reports/income-tax?year=2026-2027')
	// The step against dividends, above, is as large as the dividends.
	expect(readTable(html, 'Dividends').foot).toContain('14,344.50')
	expect(readText(html)).not.toContain('Income taxed at your slab')
})
