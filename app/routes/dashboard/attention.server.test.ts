import { expect, test } from 'vitest'
import { listAttentionLines, countWords } from './attention.server'

const now = new Date('2026-11-20T12:00:00+05:30')
const item = (more: object) => ({ kind: 'IPO_MANDATE', reference: 'A/1', words: 'Approve it.', amount: null, deadline: null, ...more })

test.for([
	['2026-11-20T17:00:00+05:30', 'by 17:00 today', 'Today'],
	['2026-11-21T00:00:00+05:30', 'by the end of today', 'Today'],
	['2026-11-24T16:30:00+05:30', 'by 16:30 on 24/11/2026', 'Soon'],
	['2026-11-20T11:59:00+05:30', 'was due by 11:59 today', 'Overdue'],
	[null, undefined, 'To do'],
] as const)('words the deadline: %s', ([deadline, due, state]) => {
	expect(listAttentionLines([item({ deadline })], now)).toMatchObject([{ due, state }])
})

test('links each kind to its page, and shows an unknown one without a link', () => {
	const [known, unknown, mean] = listAttentionLines(
		[item({ kind: 'ESIGN', reference: 'ES-1/../x' }), item({ kind: 'NEW' }), item({ kind: 'toString' })],
		now,
	)
	expect(known?.link).toEqual({ href: '/esign/return?ref=ES-1%2F..%2Fx&begin=1', label: 'Sign' })
	expect([unknown?.link, unknown?.words, mean?.link]).toEqual([undefined, 'Approve it.', undefined])
})

test.for([
	[[], undefined],
	[['Under way'], undefined],
	[['To do', 'Under way'], '1 thing needs you'],
	[['Overdue', 'Today', 'Soon'], '3 things need you, 1 overdue'],
] as const)('counts the client’s tasks: %j', ([states, words]) => {
	expect(countWords(states.map((state) => ({ state })))).toBe(words)
})

test.for([
	[[['2026-11-24T16:30:00+05:30'], ['2026-11-20T21:00:00+05:30'], [null]], '3 things need you, the first by 21:00 today'],
	[[['2026-11-24T16:30:00+05:30'], ['2026-11-20T14:00:00+05:30', 'PAYIN']], '2 things need you, the first by 14:00 today'],
	[[['2026-11-20T21:00:00+05:30'], [null, 'PAYIN']], '1 thing needs you by 21:00 today'],
	[[['2026-11-20T11:59:00+05:30'], ['2026-11-20T21:00:00+05:30']], '2 things need you, 1 overdue'],
] as const)('says the nearest deadline with the count: %j', ([items, words]) => {
	const lines = listAttentionLines(
		items.map(([deadline, kind]) => item({ deadline, ...(kind && { kind }) })),
		now,
	)
	expect(countWords(lines)).toBe(words)
})
