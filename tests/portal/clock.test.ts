import { expect, test } from 'vitest'
import { addDays, formatDay } from '#contract/values/dates'
import { advanceDays } from '#tests/support/advance'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { readAll, readText } from '#tests/support/readers'

const opened = openPortalForFile()

const readDay = (html: string) => /As of (\d\d\/\d\d\/\d{4})/.exec(readText(html))?.[1]

test('the portal’s today is the broker’s: days, years and words follow the broker’s clock', async () => {
	const before = await signedIn(opened, 'DEMO01')
	expect(readDay((await before.visit('/reports/ledger/deducted')).html)).toBe(formatDay(BROKERS_DAY))

	await advanceDays(200, 'DEMO01')
	const later = addDays(BROKERS_DAY, 200)
	// The old session has expired at the new time. The response to a login has the new day.
	const demo = await signedIn(opened, 'DEMO01')
	expect(readDay((await demo.visit('/reports/ledger/deducted')).html)).toBe(formatDay(later))
	const ledger = await demo.visit('/reports/ledger')
	expect(ledger.status).toBe(200)
	const years = readAll(ledger.html, 'option').filter((words) => /^\d{4}-\d{4}$/.test(words))
	// 08/06/2027.
	expect(years[0]).toBe('2027-2028')
	expect(readText(ledger.html)).toContain(formatDay(later))
	// At 11:00 broker time: a verification made now is valid until the evening of that day, or of the next session.
	expect(readText((await demo.visit('/dpprocess')).html)).toMatch(/A verification made now is valid until 17:30 (today|tomorrow|on)/)
})
