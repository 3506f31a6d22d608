import { type Program } from '#scripts/programs'
import { BROKERS_CLOCK } from '#tests/support/brokers-day'
import { copyBooks } from './kept'
import { expect, test } from './portal'
import { answering, start, startPortal, stopAll } from './process'
import { readCsrf, TextBrowser } from './text-browser'

/*
 * A response is lost, a process is killed, and the form is sent again. The broker must carry out the request once. The test starts its
 * own processes.
 */

const PORT = 3165
const SANDBOX_PORT = 4165
const FOLDER = `.cache/sandbox-${SANDBOX_PORT}`
const broker = `http://127.0.0.1:${SANDBOX_PORT}`

test.describe.configure({ mode: 'serial', timeout: 240_000 })
test.afterAll(stopAll)

let portal: Program
let sandbox: Program

async function startSandbox(): Promise<Program> {
	const settings = {
		SANDBOX_PORT: String(SANDBOX_PORT),
		SANDBOX_DATA_DIR: FOLDER,
		SANDBOX_TODAY: BROKERS_CLOCK,
		LOG_LEVEL: 'warn',
		PUBLIC_URL: `http://127.0.0.1:${PORT}`,
	}
	const program = start(['build/sandbox.js'], settings)
	await expect(async () => answering(broker, '/control/clock')).toPass({ timeout: 180_000 })
	return program
}

const restartPortal = async () => {
	await portal?.stop('SIGKILL')
	portal = await startPortal(PORT, { BROKER_URL: broker, ESIGN_URL: `${broker}/esign`, REDIRECT_ORIGINS: broker })
}

test.beforeAll(async () => {
	copyBooks(FOLDER)
	sandbox = await startSandbox()
	await restartPortal()
})

type Fields = Record<string, string>
const hidden = (html: string, name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''
const keyed = (html: string) => ({ csrf: readCsrf(html), idempotency_key: hidden(html, 'idempotency_key') })
const readText = (html: string) => html.replace(/<(script|style).*?<\/\1>|<!--.*?-->|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
const signedIn = async (code: string) => {
	const browser = new TextBrowser(`http://127.0.0.1:${PORT}`)
	expect((await browser.login(code)).status).toBe(303)
	return browser
}
const loseAnswerTo = (operation: string, client: string) =>
	fetch(`${broker}/control/faults`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ operation, client, kind: 'reset', count: 1 }),
	})
async function listKeys(operation: string): Promise<string[]> {
	const { data } = (await (await fetch(`${broker}/control/log`)).json()) as {
		data: { operation: string; headers: Record<string, string> }[]
	}
	return data.filter((entry) => entry.operation === operation).map(({ headers }) => headers['idempotency-key'] ?? '')
}

/** The forms, with the fields of their pages. */
const forms: Record<'payout' | 'bid' | 'pledge', (browser: TextBrowser) => Promise<{ address: string; fields: Fields }>> = {
	async payout(browser) {
		const { text } = await browser.send('/funds/withdraw')
		const bank = /<option value="(0-[^"]+)"/.exec(text)?.[1] ?? ''
		return { address: '/funds/withdraw', fields: { ...keyed(text), ledgers: 'NSE_CASH', amount: '7', bank } }
	},
	async bid(browser) {
		const page = '/connect/ipo/KONKANLOG'
		const { text } = await browser.send(page)
		const BOId = /<option value="(\d{16})"/.exec(text)?.[1] ?? ''
		const bid = { category: 'IND', BOId, upi_id: 'me@examplebank', 'bids[0].quantity': '100', 'bids[0].price': '150' }
		await browser.send(page, { csrf: readCsrf(text), ...bid })
		const review = (await browser.send(`${page}?dialog=confirm`)).text
		const form = review.slice(review.indexOf('page-dialog'))
		return { address: `${page}?dialog=confirm`, fields: { ...keyed(form), intent: 'submit', draft: hidden(form, 'draft') } }
	},
	async pledge(browser) {
		const { text } = await browser.send('/dpprocess/pledge')
		const isin = /name="qty\.([A-Z0-9]+)"/.exec(text)?.[1] ?? ''
		const { location } = await browser.send(`/dpprocess/pledge/review?action=pledge&${isin}=1`)
		return { address: location, fields: keyed((await browser.send(location)).text) }
	},
}
const OPERATIONS = { payout: 'requestPayout', bid: 'submitIpoBid', pledge: 'requestMarginPledge' } as const
const NAMES = ['payout', 'bid', 'pledge'] as const

test('a portal killed between a lost response and the next try makes no second payout, bid or pledge', async () => {
	const browser = await signedIn('DEMO01')
	const listed = async (path: string, pattern: RegExp) => new Set((await browser.send(path)).text.match(pattern)).size
	const count = async () => [await listed('/connect/ipo/bids', /\bKH\d{10}\b/g), await listed('/dpprocess/pledge', /\bPL-[0-9A-F]{10}\b/g)]
	const [bids = 0, pledges = 0] = await count()
	const lost = new Map<string, { address: string; fields: Fields }>()
	for (const name of NAMES) {
		const form = await forms[name](browser)
		await loseAnswerTo(OPERATIONS[name], 'DEMO01')
		const answer = await browser.send(form.address, form.fields)
		expect([name, answer.status >= 500, readText(answer.text)]).toEqual([
			name,
			true,
			expect.stringContaining('Trying again cannot do it twice'),
		])
		expect(hidden(answer.text.slice(Math.max(0, answer.text.indexOf('page-dialog'))), 'idempotency_key')).toBe(form.fields.idempotency_key)
		lost.set(name, form)
	}

	await restartPortal()
	for (const name of NAMES) {
		const form = lost.get(name) ?? { address: '', fields: {} }
		const answer = await browser.send(form.address, form.fields)
		expect([name, answer.status]).toEqual([name, 303])
		const key = form.fields.idempotency_key
		// The list of requests shows a pledge that waits for its confirmation, and continues it without a new call.
		expect([name, await listKeys(OPERATIONS[name])]).toEqual([name, name === 'pledge' ? [key] : [key, key]])
	}
	expect(readText((await browser.send('/funds/history')).text).match(/Pending 7\.00/g)).toHaveLength(1)
	expect(await count()).toEqual([bids + 1, pledges + 1])
})

test('a restarted broker answers an idempotency key as before, and does nothing twice', async () => {
	const browser = await signedIn('CASH01')
	const answered = await forms.bid(browser)
	const first = await browser.send(answered.address, answered.fields)
	expect(first.status).toBe(303)
	const form = await forms.payout(browser)
	await loseAnswerTo('requestPayout', 'CASH01')
	expect((await browser.send(form.address, form.fields)).status).toBeGreaterThanOrEqual(500)

	await sandbox.stop()
	sandbox = await startSandbox()
	await restartPortal()
	const again = await browser.send(answered.address, answered.fields)
	expect([again.status, again.location]).toEqual([303, first.location])
	expect((await browser.send(form.address, form.fields)).status).toBe(303)
	expect(readText((await browser.send('/funds/history')).text).match(/Pending 7\.00/g)).toHaveLength(1)
})
