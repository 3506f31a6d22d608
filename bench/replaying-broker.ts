import http from 'node:http'

/*
 * A broker that asks the sandbox once and then repeats the same reply to the same call. It runs in its own process, so that the portal
 * is measured and not the database of the sandbox. A file never ends, and an upload never gets a reply. The clients TWIN01 to TWINZZ are
 * copies of DEMO01 with their own codes: many different clients with the same figures. `PUT /answers?rows=10000&delay_ms=50` makes every
 * ledger that long and every reply that late, until the next such call.
 */
type Answer = { status: number; type: string; bytes: Buffer }

/** The path of an endless file, which starts after a delay in ms. */
const FILE = /^\/v1\/downloads\/download-holdings/
const BEFORE_FILE_MS = 300

const [port, sandbox] = process.argv.slice(2)
const known = new Map<string, Promise<Answer>>()

/** The code of a copy is as long as the original code, so that a page has the same number of bytes. */
const TWIN = /TWIN[\dA-Z]{2}/
const ORIGINAL = 'DEMO01'

/** Open files and uploads. */
const open = new Set<http.ServerResponse>()

const LEDGER = /^\/v2\/service\/reports\/ledger\?/
/** `rows` is 0 for ledgers as long as in the sandbox. */
let shape = { rows: 0, delayMs: 0 }
const longLedgers = new Map<string, Promise<Answer>>()

const server = http.createServer((request, response) => {
	if (request.method === 'PUT' && request.url?.startsWith('/answers?')) {
		const query = new URLSearchParams(request.url.split('?')[1])
		shape = { rows: Number(query.get('rows')), delayMs: Number(query.get('delay_ms')) }
		return void response.end()
	}
	if (request.url === '/open-calls') return void response.end(String(open.size))
	if (FILE.test(request.url ?? '')) return sendFile(track(response))
	if (request.headers['content-type']?.startsWith('multipart/')) {
		track(response)
		// No client of the bench sends a whole upload.
		return void request.resume()
	}
	const parts: Buffer[] = []
	request.on('data', (part: Buffer) => parts.push(part))
	request.on('end', () => {
		const body = Buffer.concat(parts).toString()
		const key = nameCall(request, body)
		let answer = known.get(key)
		if (!answer) known.set(key, (answer = askForClient(request, body, TWIN.exec(key)?.[0])))
		const { rows, delayMs } = shape
		if (rows > 0 && LEDGER.test(request.url ?? '')) answer = lengthen(key, answer, rows)
		const send = ({ status, type, bytes }: Answer) =>
			response.writeHead(status, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
		answer.then(
			(ready) => (delayMs > 0 ? setTimeout(send, delayMs, ready) : send(ready)),
			() => response.writeHead(502).end(),
		)
	})
})
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1')

function track(response: http.ServerResponse) {
	open.add(response)
	return response.once('close', () => open.delete(response))
}

function sendFile(response: http.ServerResponse) {
	const piece = Buffer.alloc(65_536, ' ')
	const write = () => {
		while (!response.destroyed && response.write(piece));
		if (!response.destroyed) response.once('drain', write)
	}
	setTimeout(() => {
		if (response.destroyed) return
		response.writeHead(200, { 'content-type': 'application/pdf' }).write('%PDF-1.7\n')
		write()
	}, BEFORE_FILE_MS)
}

/**
 * Returns the reply for the original client with the code of the copy. A reading call goes to the sandbox once for all copies, so that
 * two hundred clients who come at once do not wait for its database. Each login is a separate call.
 */
async function askForClient(request: http.IncomingMessage, body: string, twin: string | undefined): Promise<Answer> {
	if (!twin) return askSandbox(request, body)
	const { method, url, headers } = request
	const original = (text: string) => text.replaceAll(twin, ORIGINAL)
	const asked = { method, url: original(url ?? ''), headers: { ...headers, ...(headers['client-code'] && { 'client-code': ORIGINAL }) } }
	const key = nameCall(asked, '')
	const answer = method === 'GET' ? (known.get(key) ?? askSandbox(asked, '')) : askSandbox(asked, original(body))
	if (method === 'GET') known.set(key, answer)
	const { status, type, bytes } = await answer
	return { status, type, bytes: Buffer.from(bytes.toString().replaceAll(ORIGINAL, twin)) }
}

const nameCall = ({ method, url, headers }: Asked, body: string) => `${method} ${url} ${headers['client-code']} ${body}`

type Asked = Pick<http.IncomingMessage, 'method' | 'url' | 'headers'>

async function askSandbox({ method, url, headers }: Asked, body: string): Promise<Answer> {
	const { host: _host, connection: _connection, 'content-length': _length, 'transfer-encoding': _coding, ...rest } = headers
	const answer = await fetch(`${sandbox}${url}`, { method, headers: rest as Record<string, string>, body: body || undefined })
	return { status: answer.status, type: answer.headers.get('content-type') ?? '', bytes: Buffer.from(await answer.arrayBuffer()) }
}

function lengthen(key: string, answer: Promise<Answer>, rows: number): Promise<Answer> {
	const name = `${rows} ${key}`
	const known = longLedgers.get(name) ?? answer.then((short) => ({ ...short, bytes: repeatRows(short.bytes, rows) }))
	longLedgers.set(name, known)
	return known
}

type Row = { COCD: string; VOUCHER_TYPE: string; DR_AMT: number; CR_AMT: number }

/**
 * Returns a ledger that adds up and fills `count` rows of the portal, which shows all opening rows as one. Copies of a row follow it, so
 * the days stay in order; opening rows are not copied. The balances are computed again, in paise.
 */
function repeatRows(bytes: Buffer, count: number): Buffer {
	const reply = JSON.parse(bytes.toString()) as { data: { filtered_df: Row[]; totals_df: object[] } }
	const short = reply.data.filtered_df
	const others = short.filter(({ VOUCHER_TYPE }) => VOUCHER_TYPE !== 'OPENING').length
	const wanted = others < short.length ? count - 1 : count
	const balances: Record<string, number> = {}
	const totals = { DR_AMT: 0, CR_AMT: 0 }
	let other = 0
	const rows = short.flatMap((row) => {
		const isOpening = row.VOUCHER_TYPE === 'OPENING'
		const copies = isOpening ? 1 : Math.floor(((other + 1) * wanted) / others) - Math.floor((other * wanted) / others)
		if (!isOpening) other += 1
		const [debit, credit] = [row.DR_AMT, row.CR_AMT].map((rupees) => Math.round(rupees * 100)) as [number, number]
		return Array.from({ length: copies }, () => {
			totals.DR_AMT += debit
			totals.CR_AMT += credit
			const balance = (balances[row.COCD] = (balances[row.COCD] ?? 0) + credit - debit)
			return { ...row, BALANCE: balance / 100 }
		})
	})
	const sums = { DR_AMT: totals.DR_AMT / 100, CR_AMT: totals.CR_AMT / 100, BALANCE: (totals.CR_AMT - totals.DR_AMT) / 100 }
	return Buffer.from(JSON.stringify({ ...reply, data: { filtered_df: rows, totals_df: [sums] } }))
}
