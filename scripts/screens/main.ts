import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type Browser, type BrowserContext } from '@playwright/test'
import { type Look, openCamera, signIn, takePicture } from './camera'
import { PLACES, SIGNED_OUT } from './places'
import { type Server, startServer } from './server'
import { STEPS } from './steps'

/*
 * `npm run screens`: takes a picture of every screen, 1280 and 390 pixels wide, light and dark, with scripts and without, in four
 * states: full, empty, when every call to the broker fails, and at a broker with only the required operations. Screens that only a form
 * leads to have one state. The table of all pictures is .cache/screens/index.html. Words choose screens by a part of their names;
 * the pictures of the others stay. `npm run pictures` takes the pictures of the README.
 */
const FOLDER = '.cache/screens'
const STATES = { full: 'DEMO01', empty: 'NEW001', failed: 'CASH01', required: 'DEMO01' } as const
type State = keyof typeof STATES

const LOOKS: Look[] = [1280, 390].flatMap((width) =>
	(['light', 'dark'] as const).flatMap((palette) => [true, false].map((hasScripts) => ({ width, palette, hasScripts }))),
)

/** With more pages at once, the broker is late on a machine of two cores, and pages show that parts could not be loaded. */
const AT_ONCE = 2

const README: { name: string; path: string; width: number }[] = [
	{ name: 'dashboard', path: '/dashboard', width: 1280 },
	{ name: 'profit-and-loss', path: '/reports/profitnloss?year=2025-2026', width: 1280 },
	{ name: 'dashboard-phone', path: '/dashboard', width: 390 },
	{ name: 'ledger-phone', path: '/reports/ledger?year=2025-2026', width: 390 },
]

const words = process.argv.slice(2)
let server = await startServer()
const browser = await openCamera()
try {
	if (words[0] === 'readme') await takeReadmePictures(browser, server)
	else await takeAll(browser)
} finally {
	await browser.close()
	await server.stop()
}

async function takeReadmePictures(camera: Browser, { url }: Server) {
	for (const palette of ['light', 'dark'] as const)
		for (const width of [1280, 390]) {
			const context = await signIn(camera, url, STATES.full, { width, palette, hasScripts: true })
			for (const { name, path } of README.filter((each) => each.width === width))
				await takePicture(context, path, `docs/pictures/${name}-${palette}.png`, { isWhole: false, hasScripts: true })
			await context.close()
		}
}

async function takeAll(camera: Browser) {
	if (words.length === 0) rmSync(FOLDER, { recursive: true, force: true })
	mkdirSync(FOLDER, { recursive: true })
	const choose = <Place>(places: Record<string, Place>) =>
		Object.entries(places).filter(([name]) => words.length === 0 || words.some((word) => name.includes(word)))
	const places = choose(PLACES)
	for (const state of Object.keys(STATES) as State[]) {
		if (state === 'required') {
			await server.stop()
			server = await startServer('404')
		}
		const { url, sandbox } = server
		const signedOut = choose({ ...SIGNED_OUT, 'web-link': await makeReportLink(sandbox, STATES[state]) })
		const contexts = await Promise.all(LOOKS.map((look) => signIn(camera, url, STATES[state], look)))
		// The clients sign in first, because a failing broker lets nobody sign in.
		if (state === 'failed') await failEveryCall(sandbox, STATES[state])
		const takeEach = async ([name, path]: [string, string]) => {
			// The portal keeps the profile for a minute, so a failing call must be made again.
			const address = state === 'failed' ? `${path}${path.includes('?') ? '&' : '?'}refresh=1` : path
			await takeLooks(contexts, address, name, state)
		}
		for (const place of places) await takeEach(place)
		if (state === 'full') await takeSteps(camera, url, choose(STEPS))
		for (const context of contexts) await context.clearCookies()
		for (const place of signedOut) await takeEach(place)
		for (const context of contexts) await context.close()
		process.stdout.write(`${state}: ${(signedOut.length + places.length) * LOOKS.length} pictures\n`)
	}
	writeFileSync(`${FOLDER}/index.html`, writeTable([...Object.keys(SIGNED_OUT), 'web-link', ...Object.keys(PLACES), ...Object.keys(STEPS)]))
	process.stdout.write(`${FOLDER}/index.html\n`)
}

/** Takes a picture of one address in each look. The contexts are in the order of the looks. */
async function takeLooks(contexts: readonly BrowserContext[], path: string, name: string, state: State) {
	for (let first = 0; first < LOOKS.length; first += AT_ONCE)
		await Promise.all(
			LOOKS.slice(first, first + AT_ONCE).map((look, at) =>
				takePicture(contexts[first + at]!, path, nameFile(name, state, look), { isWhole: true, ...look }),
			),
		)
}

/** One browser fills in the forms. The others get its cookies, because the broker sends each client only a few codes. */
async function takeSteps(camera: Browser, url: string, steps: [string, (typeof STEPS)[string]][]) {
	const clients: Record<string, BrowserContext[]> = {}
	for (const [name, { client, walk }] of steps) {
		const contexts = (clients[client] ??= await Promise.all(LOOKS.map((look) => signIn(camera, url, client, look))))
		const page = await contexts[0]!.newPage()
		await walk(page)
		const path = page.url()
		await page.close()
		const cookies = await contexts[0]!.cookies()
		for (const context of contexts) await context.addCookies(cookies)
		await takeLooks(contexts, path, name, 'full')
	}
	for (const context of Object.values(clients).flat()) await context.close()
}

/** Returns the address of a report without a login. */
async function makeReportLink(sandbox: string, client: string): Promise<string> {
	const answer = await control(sandbox, 'report-links', { client, minutes: 1440 })
	const { data } = (await answer.json()) as { data: { url: string } }
	const { pathname, search } = new URL(data.url)
	return pathname + search
}

async function failEveryCall(sandbox: string, client: string) {
	await control(sandbox, 'faults', { operation: '*', kind: '500', client })
}

async function control(sandbox: string, what: string, body: object): Promise<Response> {
	const answer = await fetch(`${sandbox}/control/${what}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	})
	if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}: ${await answer.text()}`)
	return answer
}

function nameFile(name: string, state: State, look: Look): string {
	return `${FOLDER}/${name}.${state}.${nameLook(look)}.png`
}

function nameLook({ width, palette, hasScripts }: Look): string {
	return `${width}-${palette}-${hasScripts ? 'scripts' : 'plain'}`
}

function writeTable(names: readonly string[]): string {
	const columns = (Object.keys(STATES) as State[]).flatMap((state) => LOOKS.map((look) => ({ state, look })))
	const head = columns.map(({ state, look }) => `<th>${state}<br>${nameLook(look)}</th>`).join('')
	const rows = names.map((name) => {
		const cells = columns.map(({ state, look }) => {
			const file = `${name}.${state}.${nameLook(look)}.png`
			if (!existsSync(`${FOLDER}/${file}`)) return '<td></td>'
			return `<td><a href="${file}"><img src="${file}" width="160" loading="lazy" alt="${name}, ${state}, ${nameLook(look)}"></a></td>`
		})
		return `<tr><th>${name}</th>${cells.join('')}</tr>`
	})
	return `<!doctype html><meta charset="utf-8"><title>Screens</title><table><tr><th></th>${head}</tr>${rows.join('')}</table>`
}
