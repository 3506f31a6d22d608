import { expect, test } from 'vitest'
import { addDays, toIndianDay } from '#contract/values/dates'
import { signedIn } from '#tests/support/account'
import { openPortalForFile } from '#tests/support/portal'
import { readCsv } from '#tests/support/readers'

const opened = openPortalForFile()

test('the file of the requests has days and times in India', async () => {
	const client = await signedIn(opened, 'DEMO01')
	const [head = [], ...rows] = readCsv(await (await client.send('/downloads/requests/csv')).text())
	const asked = rows.map((row) => row[head.indexOf('Asked on')])
	// Midnight in India is 18:30 of the day before in UTC.
	const today = toIndianDay()
	expect(asked.slice(0, 3)).toEqual([`${today} 00:00`, `${addDays(today, -12)} 21:02`, `${addDays(today, -33)} 18:20`])
})
