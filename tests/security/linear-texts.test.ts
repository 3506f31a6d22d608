import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readPercent } from '#contract/readers'
import { Unbroken } from '~/components/unbroken'
import { showMasked } from '~/lib/masks'
import { explainNarration } from '~/lib/narrations'

/* Texts of the broker whose reading once took the square of their length: up to half a minute of the process for one reply. */

const MOST_MS = 60

test.for<[string, () => unknown]>([
	['a percentage of blanks', () => readPercent(`1${' '.repeat(100_000)}x`)],
	['asterisks', () => showMasked('*'.repeat(100_000))],
	['asterisks before an @', () => showMasked(`${'*'.repeat(100_000)} @`)],
	['Xs without a digit', () => showMasked('X'.repeat(100_000))],
	['zeros and points', () => renderToString(Unbroken({ text: '0.0'.repeat(30_000) }) as never)],
	['MARGIN without its verb', () => explainNarration('MARGIN'.repeat(10_000))],
	['MTF without interest', () => explainNarration('MTF '.repeat(10_000))],
])('%s take a time that grows with the length alone', ([, read]) => {
	read()
	const started = process.cpuUsage()
	read()
	const { user, system } = process.cpuUsage(started)
	expect((user + system) / 1000).toBeLessThan(MOST_MS)
})

test('masks are still recognised', () => {
	expect(showMasked('HDFC BANK XXXXXXXXXX4821')).toBe('HDFC BANK ••••••4821')
	expect(showMasked('SBI ****4821, r***@gmail.com')).toBe('SBI ••••••4821, r•••@gmail.com')
	expect(showMasked('MAXXXXIMUS 12, ***** none')).toBe('MAXXXXIMUS 12, ***** none')
})
