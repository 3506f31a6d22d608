import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadAdapter } from '~/broker/adapter.server'
import { type Service } from '~/broker/service'
import { checkBroker, findExitCode } from './check'
import { createCaller } from './connection'
import { formatHtml, formatJson, formatLine, formatSummary } from './report'
import { openSecrets } from './secrets'
import { createWritings } from './writings'

/*
 * Checks a broker's API against the contract with the portal's own client. The password comes from the terminal or the standard input and
 * is never an argument, which other users of the machine could see.
 */
const USAGE = `npm run broker:check -- --url https://api.broker.example --login CODE [options]

  --ekyc, --edis, --ipo, --payment URL   services at addresses of their own
  --link 'https://…/client/reports?UserId=…&SessionId=…'   a report link, to check its validation
  --write CODE      also writing operations that end before a code or signature; CODE repeats the login: a test client's
  --json            the report as JSON on the standard output
  --html FILE       the report as a page
  --timeout MS      time to the first byte of an answer (30000)

Asks for the password on the terminal, or reads it as the first line of the standard input. BROKER_ADAPTER is used when it is set.
Exit code, of the required operations that were called: 0 all are fine; 1 all can be read, some with remarks; 2 one is absent or cannot be
read. 3: not checked.
`

const OPTIONS = {
	url: { type: 'string' },
	login: { type: 'string' },
	ekyc: { type: 'string' },
	edis: { type: 'string' },
	ipo: { type: 'string' },
	payment: { type: 'string' },
	link: { type: 'string' },
	write: { type: 'string' },
	json: { type: 'boolean', default: false },
	html: { type: 'string' },
	timeout: { type: 'string', default: '30000' },
	help: { type: 'boolean', default: false },
} as const

function refuse(why: string): never {
	process.stderr.write(`${why}\n`)
	process.exit(3)
}

function readArguments() {
	try {
		return parseArgs({ options: OPTIONS }).values
	} catch (error) {
		return refuse(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
	}
}

function readLink(text: string | undefined) {
	if (text === undefined) return undefined
	const query = URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams()
	const [UserId, SessionId] = [query.get('UserId'), query.get('SessionId')]
	if (!UserId || !SessionId) refuse('--link: UserId and SessionId are missing in it')
	return { UserId, SessionId, Product: query.get('Product') ?? 'CONNECT' }
}

const { url, login, write, link, json, html, timeout, help, ...services } = readArguments()
if (help) {
	process.stdout.write(USAGE)
	process.exit(0)
}
if (!url || !login) refuse(USAGE)
if (write !== undefined && write !== login)
	refuse('--write must name the same client as --login: a test client’s code, so that no other is written for')
for (const [name, address] of Object.entries({ url, ...services }))
	if (!URL.canParse(address)) refuse(`--${name}: ${address} is no address`)

const adapter = await loadAdapter(process.env.BROKER_ADAPTER).catch((error: Error) => refuse(error.message))
const named: Partial<Record<Service, string>> = services
const urls = { broker: url, ekyc: named.ekyc ?? url, edis: named.edis ?? url, ipo: named.ipo ?? url, payment: named.payment ?? url }
const secrets = openSecrets()
const password = await secrets.read(`Password of ${login}`)
if (!password) refuse('There is no password: type it, or give it as the first line of the standard input')

const results = await checkBroker(createCaller({ urls, timeoutMs: Number(timeout), adapter }), {
	username: login,
	password,
	writings: write === undefined ? undefined : createWritings((what) => secrets.read(what)),
	link: readLink(link),
	onResult: (result) => void (json || process.stdout.write(`${formatLine(result)}\n`)),
})
secrets.close()
const answer = results.find(({ id }) => id === 'login')
if (answer?.state !== 'ok') refuse(`${login} could not log in: ${answer?.detail}`)
process.stdout.write(json ? formatJson(url, results) : `\n${formatSummary(results)}\n`)
if (html) writeFileSync(html, formatHtml(url, results))
process.exit(findExitCode(results))
