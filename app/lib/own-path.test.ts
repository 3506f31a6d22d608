import { expect, test } from 'vitest'
import { ownPath, pathAfterLogin } from './own-path'

test.for([
	'//evil.test',
	'https:evil.test',
	'https://evil.test',
	'/\\evil.test',
	'/%5Cevil.test',
	'/\t/evil.test',
	'////evil.test',
	'javascript:alert(1)',
	'data:text/html,x',
	'/%0d%0aX:1',
	'/\r\nX:1',
	'/login',
	'/login?x=1',
	'/dashboard.data',
	'/dashboard.data?x=1',
	'/logout',
	`/${'a'.repeat(8000)}`,
	'',
	'/..//evil.test',
	'evil.test',
	'/ /evil.test',
])('%s leads to the dashboard', (wanted) => {
	expect(pathAfterLogin(wanted)).toBe('/dashboard')
})

test('leads to the dashboard for a value that is not text', () => {
	for (const wanted of [undefined, null, ['/reports/ledger'], 5]) expect(ownPath(wanted)).toBe('/dashboard')
})

test('keeps a path of ours with its query', () => {
	expect(ownPath('/login?x=1')).toBe('/login?x=1')
	expect(pathAfterLogin('/reports/ledger?x=1&q=a%20b')).toBe('/reports/ledger?x=1&q=a%20b')
})
