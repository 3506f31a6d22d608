import { expect, test } from 'vitest'
import { type Paise } from '#contract/values/money'
import { money, share, text } from './columns.server'
import { buildFoot } from './foot.server'
import { type Report } from './declaration'
import { buildTable } from './report.server'

type Row = { name: string; put: Paise | null; gain: Paise | null }

const report: Report<Row> = {
	title: 'Held',
	words: ({ name }) => name,
	strip: ['put', 'gain'],
	rate: { gain: 'gain', base: 'put' },
	columns: [
		text('name', 'Name', ({ name }) => name),
		money('put', 'Invested', ({ put }) => put, { isSummed: true }),
		money('gain', 'Unrealised', ({ gain }) => gain, { isGain: true, isSummed: true }),
	],
}

const readStrip = (rows: readonly Row[]) =>
	buildTable(report, rows, { q: '', page: 1 }, new URL('https://portal.test/')).strip?.map((figure) => figure.text)

const LOSS: Row = { name: 'A', put: 1_000_00, gain: -50_05 }
const GAIN: Row = { name: 'B', put: 2_000_00, gain: 10_05 }
const NO_COST: Row = { name: 'C', put: null, gain: null }

test.for<[name: string, rows: Row[], gain: string]>([
	// 10.05 − 50.05 = −40.00 of 3,000.00 is −1.333… %.
	['of all rows', [LOSS, GAIN], '−₹ 40.00 (−1.33 %)'],
	// 10.05 of 2,000.00 is 0.5025 %.
	['of a gain', [GAIN], '+₹ 10.05 (+0.50 %)'],
	['without rows whose cost is unknown', [GAIN, NO_COST], '+₹ 10.05 (+0.50 %)'],
	['of no gain', [{ name: 'D', put: 5_00, gain: 0 }], '₹ 0.00 (0.00 %)'],
	['not at all where nothing was put in', [{ name: 'E', put: 0, gain: 7_00 }], '+₹ 7.00'],
	['not at all where a base is unknown', [GAIN, { name: 'F', put: null, gain: 7_00 }], '+₹ 17.05'],
	['not at all where a gain is unknown', [GAIN, { name: 'G', put: 7_00, gain: null }], '+₹ 10.05'],
	['not at all where nothing is known', [NO_COST], '—'],
])('shows the rate %s', ([, rows, gain]) => {
	expect(readStrip(rows)?.[1]).toBe(gain)
})

test.for<[name: string, rows: Row[], foot: unknown[]]>([
	[
		'a loss',
		[LOSS, GAIN],
		[
			{ text: '−40.00', tone: 'loss' },
			{ text: '−1.33 %', tone: 'loss' },
		],
	],
	[
		'a gain',
		[GAIN],
		[
			{ text: '+10.05', tone: 'gain' },
			{ text: '+0.50 %', tone: 'gain' },
		],
	],
	['no gain', [{ name: 'D', put: 5_00, gain: 0 }], ['0.00', '0.00 %']],
	['no known gain', [NO_COST], ['—', '—']],
])('colours the sum and the rate of %s in the foot', ([, rows, foot]) => {
	const columns = [...report.columns, share<Row>('rate', 'Gain', () => null)]
	expect(buildFoot({ ...report, columns, rate: { gain: 'gain', base: 'put', share: 'rate' } }, rows)?.slice(-2)).toEqual(foot)
})
